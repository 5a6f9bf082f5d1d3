"""Bars as SVG. A picture has a background of its own, so that it can be read on light and dark pages; nothing is told
by colour alone, every bar has its number."""

import math
from html import escape

STYLE = """
    .back { fill: #ffffff } .text { fill: #24292f } .dim { fill: #57606a }
    .ours { fill: #0969da } .theirs { fill: #8c959f } .floor { fill: #c4cad1 }
    .second { fill-opacity: 0.35; stroke-width: 1 }
    .ours.second { stroke: #0969da } .theirs.second { stroke: #8c959f } .floor.second { stroke: #c4cad1 }
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif }
    .title { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .back { fill: #0d1117 } .text { fill: #e6edf3 } .dim { fill: #9198a1 }
      .ours { fill: #58a6ff } .theirs { fill: #768390 } .floor { fill: #444c56 }
      .ours.second { stroke: #58a6ff } .theirs.second { stroke: #768390 } .floor.second { stroke: #444c56 }
    }
"""
WIDTH, LEFT, RIGHT, BAR, GAP = 740, 170, 110, 12, 9


def bars(title, series, rows, is_log=False):
    """`rows`: a name, its class, and for each of `series` a number with its words, or nothing."""
    title = title.replace("`", "")
    series = [name.replace("`", "") for name in series]
    numbers = [value for _, _, values in rows for value, _ in filter(None, values)]
    most, least = max(numbers, default=1) or 1, min((each for each in numbers if each > 0), default=1)

    def length(value):
        room = WIDTH - LEFT - RIGHT
        if not is_log:
            return room * value / most
        return room * math.log(value / least * 2) / math.log(most / least * 2) if value > 0 else 0

    legend = [f"{'solid' if at == 0 else 'outlined'}: {name}" for at, name in enumerate(series)]
    note = "; ".join(legend) + ("; the scale is logarithmic" if is_log else "")
    parts, top = [text(16, 26, title, "text title"), text(16, 46, note, "dim")], 64
    for name, kind, values in rows:
        parts.append(text(LEFT - 10, top + len(series) * BAR / 2 + 5, name, "text", "end"))
        for at, value in enumerate(values):
            y = top + at * BAR
            if value:
                wide = max(1, round(length(value[0]), 1))
                again = " second" if at else ""
                parts.append(f'<rect class="{kind}{again}" x="{LEFT}" y="{y}" width="{wide}" height="{BAR - 2}"/>')
                parts.append(text(LEFT + wide + 6, y + 10, value[1], "dim"))
            else:
                parts.append(text(LEFT, y + 10, "not measured", "dim"))
        top += len(series) * BAR + GAP
    body = "\n  ".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top + 6}" '
            f'viewBox="0 0 {WIDTH} {top + 6}" role="img" aria-label="{escape(title)}">\n'
            f'  <style>{STYLE}  </style>\n  <rect class="back" width="100%" height="100%" rx="6"/>\n  {body}\n</svg>\n')


def text(x, y, words, kind, anchor="start"):
    return f'<text x="{round(x, 1)}" y="{round(y, 1)}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'
