"""What all tests share: where things are, and how the real command is run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Time limits of single examples say more about the machine than about the code; tests/bench measures.
settings.register_profile(
    "silp", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("silp")
