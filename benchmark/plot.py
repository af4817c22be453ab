"""A dot plot as SVG: one row a mechanism, one dot an auditor, certified over exact epsilon."""

import math

COLORS = ["#1b6ca8", "#d1495b", "#e9a03b", "#8d6a9f", "#4f9d69", "#7a5c3e", "#888888", "#2f4858"]
LEFT, RIGHT, TOP, STEP = 220, 900, 60, 18
LARGEST = 1.1


def svg(found, exact):
    names = [name for name in exact if math.isfinite(exact[name])]
    height = TOP + STEP * len(names) + 50
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (
        RIGHT + 30, height), '<rect width="100%" height="100%" fill="white"/>']
    bottom = TOP + STEP * len(names)
    for tenth in range(0, 12, 2):
        x = place(tenth / 10)
        parts.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="%s"/>' % (
            x, x, TOP - 8, bottom, "#444" if tenth == 10 else "#ddd"))
        parts.append('<text x="%.1f" y="%d" text-anchor="middle">%g</text>' % (x, bottom + 16, tenth / 10))
    parts.append('<text x="%d" y="%d" text-anchor="middle">certified / exact ε</text>' % ((LEFT + RIGHT) / 2, bottom + 36))
    for row, name in enumerate(names):
        y = TOP + STEP * (row + 0.5)
        parts.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 12, y + 4, name))
        parts.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#f2f2f2"/>' % (LEFT, RIGHT, y, y))
    # plaudit is drawn last, on top.
    for index, (auditor, color) in reversed(list(enumerate(zip(found, COLORS)))):
        parts += dots(found[auditor], names, exact, color)
        x, y = LEFT + 170 * (index % 4), 18 + 20 * (index // 4)
        parts.append('<circle cx="%d" cy="%d" r="5" fill="%s"/><text x="%d" y="%d">%s</text>' % (
            x, y, color, x + 10, y + 4, auditor))
    return "\n".join(parts + ["</svg>"]) + "\n"


def place(ratio):
    return LEFT + (RIGHT - LEFT) * min(ratio, LARGEST) / LARGEST


def dots(rows, names, exact, color):
    drawn = []
    for index, name in enumerate(names):
        value = rows.get((name, 0), {}).get("epsilon")
        if value is not None:
            drawn.append('<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s" fill-opacity="0.85"/>' % (
                place(value / exact[name]), TOP + STEP * (index + 0.5), color))
    return drawn
