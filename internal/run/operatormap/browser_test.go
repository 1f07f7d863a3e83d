package operatormap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// large is the map of an operator with many controllers.
func large(controllers int) *Map {
	m := new(Map)
	for i := range controllers {
		own := fmt.Sprintf("example.com/Kind%02d", i)
		c := Controller{
			Name: fmt.Sprintf("Kind%02dReconciler", i), At: fmt.Sprintf("controller/kind%02d.go:80", i), For: []string{own},
			Watches: []Watch{{Kind: own, By: "For", Reaches: "all objects"}},
			Writes:  []Write{{Kind: own, Verb: "update", Subresource: true, Watched: true, At: []string{"status.go:3"}}},
		}
		for j, kind := range []string{"ConfigMap", "Secret", "Service", "apps/Deployment", "rbac.authorization.k8s.io/RoleBinding"} {
			if (i+j)%2 == 0 {
				c.Watches = append(c.Watches, Watch{Kind: kind, By: "Owns", Reaches: "all objects"})
			}
			c.Writes = append(c.Writes, Write{Kind: kind, Verb: "apply", Owner: "controller", Watched: (i+j)%2 == 0, At: []string{"apply.go:9"}})
		}
		m.Controllers = append(m.Controllers, c)
	}
	m.Findings = []Finding{{Rule: "missingwatch", At: m.Controllers[0].At, Message: "Reconcile applies corev1.Secret", Controller: m.Controllers[0].At}}
	m.Controllers[0].Writes[2].Kind = "core/Secret"
	return m
}

// TestLayout checks that no nodes of a large map overlap, and that the columns are apart.
func TestLayout(t *testing.T) {
	t.Parallel()
	d := large(40).draw()
	for i, a := range d.Nodes {
		for _, b := range d.Nodes[i+1:] {
			if a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+nodeHeight && b.Y < a.Y+nodeHeight {
				t.Errorf("%s and %s overlap", a.Name, b.Name)
			}
		}
		if a.X < 0 || a.Y < 0 || a.X+a.Width > d.Width || a.Y+nodeHeight > d.Height {
			t.Errorf("%s is outside of the drawing", a.Name)
		}
	}
}

// probe runs in the page, uses it, and writes what it saw into the document's title. A text
// is faint if its contrast is below 4.5, the least that WCAG 2.2 asks for.
const probe = `<script>
const light = color => {
  const [r, g, b] = color.match(/\d+/g).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const faint = (text, ground) => (Math.max(light(text), light(ground)) + 0.05) / (Math.min(light(text), light(ground)) + 0.05) < 4.5;
addEventListener("load", () => {
  const result = { errors: window.errors, nodes: 0, cut: [], dead: [], faint: [] };
  const page = getComputedStyle(document.body).backgroundColor;
  result.light = light(page);
  for (const n of document.querySelectorAll(".node")) {
    const text = n.querySelector("text"), rect = n.querySelector("rect");
    result.nodes++;
    if (text.getBBox().width > rect.getBBox().width) result.cut.push(n.dataset.name);
    if (faint(getComputedStyle(text).fill, getComputedStyle(rect).fill)) result.faint.push(n.dataset.name);
  }
  for (const e of document.querySelectorAll("h1, h2, td, td a, .legend span")) {
    if (faint(getComputedStyle(e).color, page)) result.faint.push(e.tagName + " " + e.textContent);
  }
  for (const e of document.querySelectorAll(".edge text")) {
    if (faint(getComputedStyle(e).fill, page)) result.faint.push("edge " + e.textContent);
  }
  for (const a of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(a.getAttribute("href").slice(1))) result.dead.push(a.getAttribute("href"));
  }
  const svg = document.getElementById("graph"), search = document.getElementById("search");
  const before = svg.getAttribute("viewBox");
  document.getElementById("in").click();
  result.zooms = svg.getAttribute("viewBox") !== before;
  document.getElementById("fit").click();
  result.fits = svg.getAttribute("viewBox") === before;
  search.value = "KIND07REC";
  search.dispatchEvent(new Event("input"));
  result.lit = [...document.querySelectorAll(".node.on")].map(n => n.dataset.name).sort();
  document.querySelector('.node[data-section="c7"]').dispatchEvent(new Event("click"));
  result.hash = location.hash;
  document.title = JSON.stringify(result);
});
</script></body>`

// TestBrowser uses the page of a large operator in a real browser, of people who prefer
// light pages and of those who prefer dark ones.
func TestBrowser(t *testing.T) {
	t.Parallel()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium on the PATH")
	}
	var page bytes.Buffer
	if err := large(40).HTML(&page, "a large operator", ""); err != nil {
		t.Fatal(err)
	}
	if addresses := regexp.MustCompile(`(src|href)="(//|\w+:)`).FindString(page.String()); addresses != "" {
		t.Errorf("the page asks another host: %s", addresses)
	}
	text := strings.Replace(page.String(), "<head>", `<head><script>window.errors = []; addEventListener("error", e => errors.push(e.message));</script>`, 1)
	text = strings.Replace(text, "</body>", probe, 1)
	file := filepath.Join(t.TempDir(), "map.html")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var backgrounds []float64
	for _, scheme := range []string{"1", "0"} { // light, dark
		cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--blink-settings=preferredColorScheme="+scheme,
			"--user-data-dir="+filepath.Join(t.TempDir(), "profile"), "--virtual-time-budget=5000", "--dump-dom", "file://"+file)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		dom, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, complaints.String())
		}
		_, title, _ := strings.Cut(string(dom), "<title>")
		title, _, _ = strings.Cut(title, "</title>")
		var got struct {
			Errors, Cut, Dead, Faint, Lit []string
			Nodes                         int
			Zooms, Fits                   bool
			Hash                          string
			Light                         float64
		}
		if err := json.Unmarshal([]byte(html.UnescapeString(title)), &got); err != nil {
			t.Fatalf("%v in %q", err, title)
		}
		if len(got.Errors) > 0 || len(got.Cut) > 0 || len(got.Dead) > 0 || len(got.Faint) > 0 || !got.Zooms || !got.Fits || got.Hash != "#c7" {
			t.Errorf("got %+v", got)
		}
		if want := len(large(40).draw().Nodes); got.Nodes != want {
			t.Errorf("%d nodes, want %d", got.Nodes, want)
		}
		if lit := strings.Join(got.Lit, " "); !strings.Contains(lit, "Kind07Reconciler") || !strings.Contains(lit, "ConfigMap") || strings.Contains(lit, "Kind08Reconciler") {
			t.Errorf("a search for one controller lights %s", lit)
		}
		backgrounds = append(backgrounds, got.Light)
	}
	if backgrounds[0] < 0.9 || backgrounds[1] > 0.1 {
		t.Errorf("the page's lightness is %.2f, and %.2f for those who prefer dark", backgrounds[0], backgrounds[1])
	}
}
