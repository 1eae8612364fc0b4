"""The report as a page: one file without scripts, which loads nothing."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weir_fleet.report import Answer

_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #222 }
h1 { font-size: 1.6em } h2 { font-size: 1.2em; margin-top: 2em }
.table { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid #ddd; padding: .25em .7em; text-align: left; vertical-align: top }
th { background: #f4f4f4; position: sticky; top: 0 } td.number { text-align: right; white-space: nowrap }
svg text { font: 12px system-ui, sans-serif; fill: #222 } svg rect { fill: #3b6ea5 }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd } th { background: #2a2a2a } th, td { border-color: #444 }
  svg text { fill: #ddd } svg rect { fill: #6fa3d8 }
}
"""
_MOST_BARS = 25


def page(tables: str, answers: Sequence[Answer]) -> str:
    """The page."""
    contents = "".join(
        f'<li><a href="#{html.escape(answer.query.name)}">{html.escape(answer.query.title)}</a></li>'
        for answer in answers
    )
    sections = "".join(_section(answer) for answer in answers)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Fleet report</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<style>{_STYLE}</style></head><body><h1>Fleet report</h1><p>Tables: {html.escape(tables)}</p>"
        f"<ul>{contents}</ul>{sections}</body></html>\n"
    )


def _section(answer: Answer) -> str:
    query = answer.query
    head = f'<h2 id="{html.escape(query.name)}">{html.escape(query.title)}</h2><p>{html.escape(query.text)}</p>'
    if not answer.rows:
        return f"{head}<p>No rows.</p>"
    return head + (_bars(answer, *query.plot) if query.plot else "") + _table(answer)


def _table(answer: Answer) -> str:
    from weir_fleet.report import text

    titles = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in answer.columns)
    lines = []
    for row in answer.rows:
        cells = (f"<td{' class=number' if _is_number(value) else ''}>{html.escape(text(value))}</td>" for value in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="table"><table><thead><tr>{titles}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _bars(answer: Answer, label: str, value: str) -> str:
    """A bar chart of the first rows."""
    from weir_fleet.report import text

    names, values = answer.columns.index(label), answer.columns.index(value)
    rows = [(text(row[names]), float(row[values])) for row in answer.rows if row[values] is not None][:_MOST_BARS]
    most = max((amount for _, amount in rows), default=0.0)
    if most <= 0:
        return ""
    bars = []
    for index, (name, amount) in enumerate(rows):
        top = index * 22
        width = max(1.0, 460 * max(0.0, amount) / most)
        shown = name if len(name) <= 46 else name[:45] + "…"
        bars.append(
            f'<text x="295" y="{top + 15}" text-anchor="end"><title>{html.escape(name)}</title>{html.escape(shown)}'
            f'</text><rect x="300" y="{top + 3}" width="{width:.1f}" height="16"/>'
            f'<text x="{305 + width:.1f}" y="{top + 15}">{text(amount)}</text>'
        )
    title = html.escape(f"{value.replace('_', ' ')} by {label.replace('_', ' ')}")
    return (
        f'<p><svg role="img" aria-label="{title}" width="850" height="{len(rows) * 22 + 4}">{"".join(bars)}</svg></p>'
    )
