"""Checks that a page's tags nest, and that it names nothing to load."""
import html.parser
import sys

alone = {"meta", "br", "line"}
implied = {"tr", "td", "th", "html"}  # their ends may be left out


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            assert name not in ("src", "href", "srcset"), (tag, name, value)
        assert tag not in ("script", "link", "iframe", "img"), tag
        if tag not in alone | implied:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in implied:
            assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
            self.open.pop()


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
page.feed(text)
assert not page.open, page.open
assert "url(" not in text and "@import" not in text and "http" not in text
