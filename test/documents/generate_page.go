package documents

import (
	"fmt"
	"strings"
)

// page is a text as it is printed.
func (d *draft) page(heads []pair, table [][]string, feet []pair, seller, buyer []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.ToUpper(d.label("title")))
	width := 24
	switch d.layout {
	case "lines":
		for _, party := range []struct {
			label string
			lines []string
		}{{d.label("seller"), seller}, {d.label("buyer"), buyer}} {
			fmt.Fprintf(&out, "%s:\n%s\n\n", party.label, strings.Join(party.lines, "\n"))
		}
		for _, p := range heads {
			fmt.Fprintf(&out, "%s: %s\n", p.label, p.value)
		}
	case "boxes":
		fmt.Fprintf(&out, "%-50s%s\n", d.label("seller"), d.label("buyer"))
		for i := range seller {
			fmt.Fprintf(&out, "%-50s%s\n", seller[i], buyer[i])
		}
		for len(heads) > 0 {
			n := min(3, len(heads))
			out.WriteByte('\n')
			for _, p := range heads[:n] {
				out.WriteString(pad(p.label, 36))
			}
			out.WriteByte('\n')
			for _, p := range heads[:n] {
				out.WriteString(pad(p.value, 36))
			}
			out.WriteByte('\n')
			heads = heads[n:]
		}
	default:
		fmt.Fprintf(&out, "%s %s\n", pad(d.label("seller"), 30), seller[0])
		for _, line := range seller[1:] {
			fmt.Fprintf(&out, "%s %s\n", pad("", 30), line)
		}
		fmt.Fprintf(&out, "\n%s %s\n", pad(d.label("buyer"), 30), buyer[0])
		for _, line := range buyer[1:] {
			fmt.Fprintf(&out, "%s %s\n", pad("", 30), line)
		}
		out.WriteByte('\n')
		for _, p := range heads {
			fmt.Fprintf(&out, "%s %s\n", pad(p.label, 30), p.value)
		}
	}
	out.WriteByte('\n')
	for _, row := range table {
		for _, c := range row {
			out.WriteString(pad(c, width) + " ")
		}
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
	for _, p := range feet {
		if d.layout == "lines" {
			fmt.Fprintf(&out, "%s: %s\n", p.label, p.value)
			continue
		}
		fmt.Fprintf(&out, "%s %s\n", pad(p.label, 40), p.value)
	}
	return out.String()
}

// pad fills a text with spaces up to a width, and leaves two behind it.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(2, width-len([]rune(text))))
}
