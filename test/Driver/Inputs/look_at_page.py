"""Has a real browser lay out a report: how many dots its figures have, whether
all of a figure is inside it, labels lie on each other, the page is wider than
the window, or the browser complains. Leaves a picture, PAGE-WIDTH.png."""
import json
import re
import subprocess
import sys

browser, page = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    text = file.read()

# The page itself has no scripts: this one measures a copy of it.
measure = """<script>
const problems = [], dots = {};
const say = (element, what) => problems.push(`'${element.textContent.trim()}' ${what}`);
for (const figure of document.querySelectorAll("svg")) {
  const outer = figure.getBoundingClientRect();
  for (const part of figure.querySelectorAll("text, circle, line")) {
    const box = part.getBoundingClientRect();
    if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 ||
        box.bottom > outer.bottom + 1 || !Number.isFinite(box.left))
      say(part, "is cut off in " + figure.getAttribute("aria-label"));
  }
  const labels = [...figure.querySelectorAll("text")].map(label => [label, label.getBoundingClientRect()]);
  for (const [index, [label, a]] of labels.entries())
    for (const [other, b] of labels.slice(0, index))
      if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
        say(label, `lies on '${other.textContent}'`);
  dots[figure.getAttribute("aria-label")] = figure.querySelectorAll("circle").length;
}
for (const details of document.querySelectorAll("details")) details.open = true;
if (document.documentElement.scrollWidth > window.innerWidth)
  problems.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${window.innerWidth}`);
const result = document.createElement("pre");
result.id = "measured";
result.textContent = JSON.stringify({problems, dots, rows: document.querySelectorAll("tr").length});
document.body.append(result);
</script>
"""
copy = page + ".measured.html"
with open(copy, "w", encoding="utf-8") as file:
    file.write(text.replace("</html>", measure + "</html>"))


def open_page(path, width, *more):
    return subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           f"--user-data-dir={page}.profile", f"--window-size={width},1600", *more, "file://" + path],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


for width in (1000, 600):
    run = open_page(copy, width, "--dump-dom")
    found = re.search(r'<pre id="measured">(.*?)</pre>', run.stdout)
    assert found, "the page was not laid out"
    measured = json.loads(found.group(1))
    for line in run.stderr.splitlines():
        if "CONSOLE" in line:
            measured["problems"].append(line)
    for problem in measured["problems"]:
        print("FAIL", f"{width} wide:", problem)
    for figure, dots in measured["dots"].items():
        print(f"{width} wide:", figure, "with", dots, "dots,", measured["rows"], "rows of tables")
    picture = f"{page}-{width}.png"
    open_page(page, width, f"--screenshot={picture}")
    with open(picture, "rb") as file:
        data = file.read()
    assert data.startswith(b"\x89PNG") and len(data) > 20000, len(data)
