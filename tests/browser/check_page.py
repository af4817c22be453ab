"""Opens pages that plaudit made in a real headless Chromium and looks for what a reader would stumble over.

    python3 -m venv target/browser-venv
    target/browser-venv/bin/pip install -r tests/browser/requirements.txt
    target/browser-venv/bin/python tests/browser/check_page.py REPORT... [--screenshots FOLDER]

REPORT is a folder that `plaudit audit --out` made. Each page is opened at four widths, in light and in dark,
with all its audits closed and with all of them open. It is a mistake if

* the console tells of an error, or anything outside of the report's folder is asked for,
* something stands out of the window, or a box hides what does not fit into it,
* a link leads nowhere on the page, or to a file that is not there,
* the filters, or a count that filters, show an audit that they should not, or none,
* the page has more than 15 000 elements before an audit is opened,
* without scripts an audit is not on the page, or one that is open has no place in print,
* a plot that stands beside the page cannot be read, or text of a plot is cut or smaller than 12 pixels,
* axe-core finds anything serious or critical,
* an audit needs more than one A4 page in print, or a section more than two screens at 1400 pixels.

Ends with 0 if there is no mistake, else with 1, each mistake on a line of its own.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

WIDTHS = [360, 768, 1400, 1920]
HEIGHT = 1000
# A4 less the page's margins of 12 mm, in CSS pixels.
A4_WIDTH, A4_HEIGHT = 703, 1031
MOST_ELEMENTS = 15_000

TOO_WIDE = """() => {
  const said = [];
  const limit = document.documentElement.clientWidth + 1;
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg') && element.localName !== 'svg') continue;
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const style = getComputedStyle(element);
    if (style.clipPath !== 'none') continue;
    // What scrolls within its own box is reached by scrolling there.
    let scrolls = false;
    for (let up = element.parentElement; up; up = up.parentElement)
      scrolls ||= ['auto', 'scroll'].includes(getComputedStyle(up).overflowX);
    const hidden = element.closest('thead') && getComputedStyle(element.closest('thead')).clipPath !== 'none';
    if (scrolls || hidden) continue;
    const clipped = ['hidden', 'clip'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (box.right > limit || box.left < -1 || clipped)
      said.push(`<${element.localName} class="${element.className}"> ${Math.round(box.left)} to ${Math.round(box.right)}`);
  }
  return said.slice(0, 5);
}"""

UNREAD_IN_PLOT = """() => {
  const said = [];
  for (const svg of document.querySelectorAll('svg.plot')) {
    const outer = svg.getBoundingClientRect();
    if (!outer.width) continue;
    const scale = svg.getScreenCTM().a;
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < outer.left - 2 || box.right > outer.right + 2 || box.top < outer.top - 2 || box.bottom > outer.bottom + 2)
        said.push(`stands out of its plot: ${text.textContent}`);
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 11.95) said.push(`has ${size.toFixed(2)} px: ${text.textContent}`);
    }
  }
  return said.slice(0, 5);
}"""

BROKEN_LINKS = """() => [...document.querySelectorAll('a[href]')]
  .map((link) => link.getAttribute('href'))
  .filter((href) => href.startsWith('#') && !document.getElementById(decodeURIComponent(href.slice(1))))"""

OTHER_LINKS = """() => [...document.querySelectorAll('a[href], img[src]')]
  .map((link) => link.getAttribute('href') ?? link.getAttribute('src')).filter((link) => !link.startsWith('#'))"""

OPEN_PLOTS = "(yes) => document.querySelectorAll('details.more').forEach((more) => { more.open = yes; })"

OPEN_ALL = """async (yes) => {
  document.querySelectorAll('details.audit, details.settled').forEach((it) => { it.open = yes; });
  // The script draws an audit when it is told of its opening.
  await new Promise((done) => setTimeout(done, 100));
}"""

OPEN_DETAILS = """() => {
  document.querySelectorAll('details.audit, details.settled').forEach((it) => { it.open = true; });
}"""

# An audit out of sight is not laid out until it is scrolled to: measured, all are.
LAY_OUT = """() => {
  const style = document.createElement('style');
  style.textContent = '.audit[open] { content-visibility: visible !important; }';
  document.head.append(style);
}"""

UNDRAWN = """() => [...document.querySelectorAll('details.audit[open]')]
  .filter((audit) => !audit.querySelector('.card > .reason, .card > noscript > .reason')?.getBoundingClientRect().height)
  .map((audit) => audit.querySelector('h3').textContent)"""

LONG = """(limit) => [...document.querySelectorAll('details.audit')]
  .map((audit) => [audit.dataset.name, Math.round(audit.getBoundingClientRect().height)])
  .filter(([, height]) => height > limit)"""


class Checker:
    def __init__(self, browser, shots):
        self.browser, self.shots, self.mistakes = browser, shots, []

    def wrong(self, where, what):
        self.mistakes.append(f"{where}: {what}")

    def page(self, folder, where, **options):
        page = self.browser.new_context(**options).new_page()

        def told(message):
            if message.type == "error":
                self.wrong(where, f"console: {message.text}")

        def asked(request):
            if not request.url.startswith(folder.as_uri()) and not request.url.startswith("data:"):
                self.wrong(where, f"asks for {request.url}")

        page.on("console", told)
        page.on("pageerror", lambda error: self.wrong(where, f"script: {error}"))
        page.on("request", asked)
        page.on("requestfailed", lambda request: self.wrong(where, f"cannot read {request.url}"))
        page.goto((folder / "index.html").as_uri())
        page.evaluate(LAY_OUT)
        return page

    def view(self, folder, scheme, width):
        where = f"{folder.name}, {width} px, {scheme}"
        viewport = {"width": width, "height": HEIGHT}
        page = self.page(folder, where, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
        if (elements := page.evaluate("document.querySelectorAll('*').length")) > MOST_ELEMENTS:
            self.wrong(where, f"{elements} elements, more than {MOST_ELEMENTS}")
        self.shot(page, f"{folder.name}-{width}-{scheme}")
        for state, opened in [("closed", False), ("open", True)]:
            page.evaluate(OPEN_ALL, opened)
            for what in page.evaluate(TOO_WIDE):
                self.wrong(f"{where}, {state}", f"does not fit: {what}")
        page.evaluate(OPEN_PLOTS, True)
        for what in page.evaluate(TOO_WIDE):
            self.wrong(f"{where}, plots open", f"does not fit: {what}")
        for what in page.evaluate(UNREAD_IN_PLOT):
            self.wrong(where, f"text of a plot {what}")
        self.first_open(page, f"{folder.name}-{width}-{scheme}-plots")
        page.evaluate(OPEN_PLOTS, False)
        for link in page.evaluate(BROKEN_LINKS):
            self.wrong(where, f"link to nowhere: {link}")
        for link in page.evaluate(OTHER_LINKS):
            if not (folder / link).is_file():
                self.wrong(where, f"link to a file that is not there: {link}")
        self.first_open(page, f"{folder.name}-{width}-{scheme}")
        if width == 1400:
            for name, height in page.evaluate(LONG, 2 * HEIGHT):
                self.wrong(where, f"{name} is {height} px high, more than two screens")
        # Colors depend on the scheme and places on the width: two views see all of both.
        if (width, scheme) in [(360, "dark"), (1400, "light")]:
            self.accessible(page, where)
        page.context.close()

    def accessible(self, page, where):
        # Rules look at one audit as at all, and the time grows with the square of their number: 15 from all over
        # the page stay, every third of them open.
        page.evaluate("""() => {
          const all = [...document.querySelectorAll('.group details.audit')];
          const step = Math.ceil(all.length / 15);
          all.forEach((audit, at) => { if (at % step) audit.remove(); else audit.open = at % (3 * step) === 0; });
        }""")
        for violation in Axe().run(page)["violations"]:
            if violation["impact"] in ("serious", "critical"):
                at = violation["nodes"][0]
                self.wrong(where, f"axe, {violation['impact']}: {violation['id']} {at['target']} {at['html'][:150]}")

    def filters(self, folder):
        page = self.page(folder, f"{folder.name}, filters", viewport={"width": 1400, "height": HEIGHT})
        names = page.eval_on_selector_all(".group details.audit", "all => all.map((audit) => audit.dataset.name)")
        # A page of one audit has no filters.
        if len(names) < 2:
            page.context.close()
            return
        page.fill("#by-name", names[-1])
        shown = page.eval_on_selector_all(
            ".group details.audit:not([hidden])", "all => all.map((audit) => audit.dataset.name)"
        )
        if shown != [name for name in names if names[-1].lower() in name.lower()]:
            self.wrong(folder.name, f"filtered by {names[-1]}: {shown}")
        page.fill("#by-name", "")
        page.click("#open-all")
        if page.locator(".group details.audit:not([open])").count():
            self.wrong(folder.name, "“Open all” leaves some closed")
        page.context.close()

    def counts(self, folder):
        """Each count shows as many audits as it says, by keyboard, and again all when pressed once more."""
        where = f"{folder.name}, counts"
        page = self.page(folder, where, viewport={"width": 1400, "height": HEIGHT})
        buttons = page.locator("header button[data-filter]")
        shown, every = page.locator(".group details.audit:not([hidden])"), page.locator(".group details.audit")
        rows = page.locator(".summary tbody tr:not([hidden])")
        for at in range(buttons.count()):
            button = buttons.nth(at)
            words = button.text_content()
            many = int("".join(c for c in words if c.isdigit()))
            button.focus()
            page.keyboard.press("Enter")
            if (shown.count(), rows.count()) != (many, many) or button.get_attribute("aria-pressed") != "true":
                self.wrong(where, f"“{words}” shows {shown.count()} audits and {rows.count()} rows")
            if page.locator(".group:not([hidden])").first.locator("details.audit:not([hidden])").first.is_hidden():
                self.wrong(where, f"“{words}” leaves its audits folded")
            if many < every.count():
                page.click("#show-all")
            else:
                page.keyboard.press("Space")
            if shown.count() != every.count() or button.get_attribute("aria-pressed") != "false":
                self.wrong(where, f"after “{words}” not all are shown again")
        page.context.close()

    def without_scripts(self, folder):
        where = f"{folder.name}, no scripts"
        page = self.page(folder, where, viewport={"width": 1400, "height": HEIGHT}, java_script_enabled=False)
        cards = page.locator("details.audit")
        if page.locator("details.audit .reason").count() != cards.count():
            self.wrong(where, "an audit has no body")
        # Timers do not run where scripts do not.
        page.evaluate(OPEN_DETAILS)
        for name in page.evaluate(UNDRAWN):
            self.wrong(where, f"{name} is open and not drawn")
        for what in page.evaluate(TOO_WIDE):
            self.wrong(where, f"does not fit: {what}")
        page.context.close()

    def prints(self, folder):
        where = f"{folder.name}, print"
        page = self.page(folder, where, viewport={"width": A4_WIDTH, "height": A4_HEIGHT})
        page.evaluate(OPEN_ALL, True)
        page.emulate_media(media="print")
        for name in page.evaluate(UNDRAWN):
            self.wrong(where, f"{name} is open and not printed")
        for name, height in page.evaluate(LONG, A4_HEIGHT):
            self.wrong(where, f"{name} is {height} px high, an A4 page has {A4_HEIGHT}")
        if self.shots:
            page.pdf(path=self.shots / f"{folder.name}.pdf", format="A4", prefer_css_page_size=True)
        page.context.close()

    def shot(self, page, name):
        if self.shots:
            page.screenshot(path=self.shots / f"{name}.png")

    def first_open(self, page, name):
        if self.shots:
            page.locator("details.audit").first.screenshot(path=self.shots / f"{name}-card.png")


def chromium():
    for name in ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]:
        if path := shutil.which(name):
            return path
    return None


def mistakes(folder, shots, check, arguments):
    """The mistakes that one check finds on a page, in a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        checker = Checker(browser, shots)
        getattr(checker, check)(folder, *arguments)
        browser.close()
    return checker.mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", type=pathlib.Path, metavar="REPORT")
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    # Those that take longest first.
    checks = [("view", (scheme, width)) for scheme in ["light", "dark"] for width in WIDTHS]
    checks += [("without_scripts", ()), ("counts", ()), ("prints", ()), ("filters", ())]
    found = []
    with concurrent.futures.ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        running = [
            pool.submit(mistakes, report.resolve(), arguments.screenshots, check, options)
            for report in arguments.reports
            for check, options in checks
        ]
        for one in running:
            found += one.result()
    print(*found, sep="\n")
    print(f"{len(arguments.reports)} pages, {len(found)} mistakes")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
