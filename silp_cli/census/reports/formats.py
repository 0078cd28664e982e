"""The formats of reports, by name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.census.reports.base import Report

FORMATS: tuple[str, ...] = ("table", "json", "jsonl", "csv", "markdown", "html")


def report_class(form: str) -> type[Report]:
    """The class of a format, one of ``FORMATS``."""
    if form in ("json", "jsonl", "csv"):
        from silp_cli.census.reports import records

        return {"json": records.JsonReport, "jsonl": records.LinesReport, "csv": records.CsvReport}[form]
    if form == "html":
        from silp_cli.census.reports.html import HtmlReport

        return HtmlReport
    from silp_cli.census.reports import text

    return text.MarkdownReport if form == "markdown" else text.TableReport
