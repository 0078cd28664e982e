"""The filters around the frontends: compile, decode and validate streams of records."""
