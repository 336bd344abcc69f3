"""page.py PAGE FOLDER: the page is well formed, fetches nothing, and has a row for every kernel of the folder's results."""
import html.parser
import json
import pathlib
import re
import sys

VOID = {"meta", "input", "br", "line", "circle", "rect", "polyline"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.first_cells, self.svgs = [], [], 0

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            assert name not in ("src", "href"), f"{tag} fetches {value}"
        self.svgs += tag == "svg"
        if tag == "tr":
            self.first_cells.append(None)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        if self.open and self.open[-1] == "td" and self.first_cells[-1] is None:
            self.first_cells[-1] = data


text = open(sys.argv[1]).read()
page = Page()
page.feed(text)
assert not page.open, f"still open: {page.open}"
assert not re.search(r"https?:|url\(|@import|<link", text), "fetches something"
results = [path for path in pathlib.Path(sys.argv[2]).glob("*.json") if path.name != "predicted.json"]
assert len(results) >= 3, results
kernels = sorted(k["name"] for path in results for k in json.loads(path.read_text())["kernels"])
rows = sorted(cell for cell in page.first_cells if cell)
assert rows == kernels, set(rows) ^ set(kernels)
assert page.svgs >= 7, f"{page.svgs} plots"
assert len(re.findall(r'(?:fill|stroke)="#', text)) == 0, "a colour that knows no dark page"
