"""A page of coalda-report, as one meets it who does not see it, has no mouse, or has a narrow screen: page.py FILE.html [chromium].

Landmarks, headings in their order, tables with captions and heads, drawings with titles and descriptions, links that lead somewhere, names that are
used once; contrasts of the page's own colours, light and dark. With a browser: what its accessibility tree says, and that nothing is wider than 360 pixels."""
import base64
import collections
import html.parser
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile

VOID = {"meta", "br", "rect", "line", "link", "img", "hr", "input"}
TEXT_CONTRAST, SHAPE_CONTRAST, PHONE = 4.5, 3.0, 360
wrong = []


def expect(holds, what):
    if not holds and what not in wrong:
        wrong.append(what)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.ids, self.links, self.headings = [], collections.Counter(), [], [], []
        self.tables, self.drawings, self.summaries, self.regions = [], [], [], []

    def handle_starttag(self, tag, pairs):
        at = dict(pairs)
        self.count[tag] += 1
        self.ids += [at["id"]] if "id" in at else []
        expect(int(at.get("tabindex", 0)) <= 0, "an order of its own for the keyboard")
        expect(not any(name.startswith("on") for name in at), "a script")
        if tag == "html":
            expect(at.get("lang"), "no language")
        elif re.fullmatch("h[1-6]", tag):
            self.headings.append([int(tag[1]), ""])
        elif tag == "a":
            self.links.append([at.get("href", ""), ""])
        elif tag == "table":
            self.tables.append({"caption": "", "heads": 0, "role": at.get("role")})
        elif tag == "th":
            expect(at.get("scope") in ("col", "row"), "a head of a table without a scope")
            self.tables[-1]["heads"] += at.get("scope") == "col"
        elif tag in ("tr", "td"):
            expect(at.get("role"), f"a {tag} that a narrow screen takes out of its table")
        elif tag == "svg":
            self.drawings.append({"role": at.get("role"), "title": "", "desc": ""})
        elif tag == "summary":
            self.summaries.append("")
        elif tag == "section":
            expect(at.get("aria-labelledby"), "a section without a name")
        if at.get("role") == "region":
            self.regions.append(at.get("aria-label"))
            expect(at.get("tabindex") == "0", "a part that moves and that the keyboard does not reach")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        expect(self.open and self.open[-1] == tag, f"</{tag}> where <{self.open[-1] if self.open else ''}> is open")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        inside = set(self.open)
        if self.headings and inside & {"h1", "h2", "h3"}:
            self.headings[-1][1] += data
        if "a" in inside:
            self.links[-1][1] += data
        if "summary" in inside:
            self.summaries[-1] += data
        if "caption" in inside:
            self.tables[-1]["caption"] += data
        if "svg" in inside and self.open[-1] in ("title", "desc"):
            self.drawings[-1][self.open[-1]] += data


def structure(text):
    page = Page()
    page.feed(text)
    for tag in ("header", "nav", "main", "h1"):
        expect(page.count[tag] == 1, f"{page.count[tag]} of <{tag}>")
    levels = [level for level, _ in page.headings]
    expect(levels and levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"headings {levels}")
    expect(all(text.strip() for _, text in page.headings + page.links), "a heading or a link without words")
    expect(len(set(page.ids)) == len(page.ids), "a name that is used twice")
    expect(page.links and all(href[:1] == "#" and href[1:] in page.ids for href, _ in page.links), "a link that leads nowhere")
    expect(all(t["caption"].strip() and t["heads"] > 1 and t["role"] == "table" for t in page.tables), "a table without a caption or heads")
    expect(page.drawings and all(d["role"] == "img" and d["title"] and d["desc"] for d in page.drawings), "a drawing without a title or a description")
    expect(page.summaries and all("in line" in s for s in page.summaries), "drawings that are called alike")
    expect(all(page.regions) and len(set(page.regions)) == len(page.regions), "parts that are called alike")
    expect(":focus-visible{outline:2px" in text and "outline:0" not in text and "outline:none" not in text, "a focus that is not seen")
    return page


# ---- colours ----

def luminance(colour):
    colour = colour.lstrip("#")
    colour = "".join(c * 2 for c in colour) if len(colour) == 3 else colour
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    a, b = sorted((luminance(one), luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def contrasts(text):
    light, dark = text.split("@media(prefers-color-scheme:dark)", 1)
    for name, style in (("light", light), ("dark", dark)):
        colours = dict(re.findall(r"--(\w+):(#\w+)", style))
        ink, ground = re.search(r"body\{[^}]*color:(#\w+)", style)[1], re.search(r"background:(#\w+)", style)[1]
        for under in ("ground", "bad", "warn", "good"):
            behind = ground if under == "ground" else colours[under]
            for over, colour, least in (("text", ink, TEXT_CONTRAST), ("dim", colours["dim"], TEXT_CONTRAST), ("used", colours["used"], SHAPE_CONTRAST)):
                ratio = contrast(colour, behind)
                print(f"{name}: {over} on {under} {ratio:.2f}")
                expect(ratio >= least, f"{name}: {over} on {under} has a contrast of {ratio:.2f}")


# ---- a browser ----

class Browser:
    """As much of the protocol of its tools as asks for a page and its accessibility tree."""

    def __init__(self, chromium, folder):
        command = [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        address = next(m for m in (re.search(r"ws://([^:]+):(\d+)(/\S+)", line) for line in self.process.stderr) if m)
        self.socket, self.number, self.session = socket.create_connection((address[1], int(address[2])), timeout=60), 0, None
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {address[3]} HTTP/1.1\r\nHost: {address[1]}:{address[2]}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline().strip():
            pass

    def receive(self):
        text, last = b"", False
        while not last:
            first, length = self.stream.read(2)
            last, length = first & 128, length & 127
            length = int.from_bytes(self.stream.read({126: 2, 127: 8}[length]), "big") if length > 125 else length
            text += self.stream.read(length)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})).encode()
        self.socket.sendall(bytes([129]) + (bytes([128 + len(text)]) if len(text) < 126 else bytes([254]) + len(text).to_bytes(2, "big")) + bytes(4) + text)
        while (answer := self.receive()).get("id") != self.number:
            pass
        return answer["result"]

    def evaluate(self, script):
        return self.ask("Runtime.evaluate", expression=script, awaitPromise=True)["result"].get("value")


def browse(chromium, path, page):
    folder = tempfile.mkdtemp(prefix="coalda-page-")
    browser = Browser(chromium, folder)
    try:
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for width in (1200, PHONE):
            browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            browser.ask("Page.navigate", url="file://" + os.path.abspath(path))
            browser.evaluate("new Promise(done => { const wait = () => document.readyState == 'complete' && document.querySelector('main') ? done(1) : setTimeout(wait, 50); wait() })")
            browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            wide = browser.evaluate("document.documentElement.scrollWidth")
            inner = browser.evaluate("Math.max(...[...document.querySelectorAll('.wide')].map(e => e.scrollWidth - e.clientWidth))")
            expect(wide <= width and inner <= 0, f"at {width} pixels: the page is {wide} wide, a table is {inner} wider than its place")
            nodes = [n for n in browser.ask("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
            roles = collections.Counter(n["role"]["value"] for n in nodes)
            names = [(n["role"]["value"], n.get("name", {}).get("value", ""), n.get("description", {}).get("value", "")) for n in nodes]
            print(f"{width} pixels: {wide} wide, {dict(roles)}")
            for role in ("banner", "navigation", "main"):
                expect(roles[role] == 1, f"at {width} pixels {roles[role]} of {role} in the accessibility tree")
            expect(roles["table"] == len(page.tables) and roles["columnheader"] == sum(t["heads"] for t in page.tables) and roles["row"] > len(page.tables),
                   f"at {width} pixels the tables are none: {roles}")
            drawings = [(name, description) for role, name, description in names if role in ("image", "img") and "sectors of" in name or "sector of" in name]
            expect(len(drawings) == len(page.drawings) and all(description for _, description in drawings), f"at {width} pixels {len(drawings)} drawings")
            expect(all(name for role, name, _ in names if role in ("link", "heading", "region", "navigation", "DisclosureTriangle", "button", "table")),
                   f"at {width} pixels something that has no name")
    finally:
        browser.process.terminate()
        browser.process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main(path, chromium=shutil.which("chromium")):
    with open(path) as f:
        text = f.read()
    page = structure(text)
    contrasts(text)
    if chromium:
        browse(chromium, path, page)
    for what in wrong:
        print("wrong:", what)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
