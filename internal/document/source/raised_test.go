package source

import "testing"

// A value in larger letters, set a little lower than its label, is on the line of the label; the next line of a
// paragraph is not.
func TestRaised(t *testing.T) {
	b := &builder{}
	b.page("")
	b.arrange([]mark{
		{left: 0, right: 400, top: 1000, size: 70, text: "Number"},
		{left: 900, right: 1300, top: 1040, size: 110, text: "4711"},
		{left: 0, right: 400, top: 1100, size: 70, text: "Date"},
		{left: 100, right: 1300, top: 1140, size: 110, text: "below"},
	})
	var got []int
	for _, l := range b.doc.Pages[0].Lines {
		got = append(got, len(l.Cells))
	}
	if len(got) != 3 || got[0] != 2 || got[1] != 1 || got[2] != 1 {
		t.Errorf("cells of the lines: %d", got)
	}
}
