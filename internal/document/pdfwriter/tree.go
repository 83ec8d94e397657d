package pdfwriter

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// tree appends the tree of tags to a file as an incremental update (ISO 32000-1, 7.5.6): pages and catalog again with what refers to
// the tree, then the tree.
type tree struct {
	file    bytes.Buffer
	pages   []int // numbers of the objects of pages
	next    int   // number of the next new object
	offsets []objectAt
}

// objectAt is where an object begins in the file.
type objectAt struct{ number, offset int }

var (
	trailerEnd = regexp.MustCompile(`/Size (\d+)\n/Root (\d+) 0 R\n/Info (\d+) 0 R\n(?s:.*?)startxref\n(\d+)\n%%EOF\s*$`)
	pageObject = regexp.MustCompile(`(?m)^(\d+) 0 obj\n<</Type /Page\n`)
)

// appendTags returns a file with tags.
func appendTags(file []byte, t *tags) ([]byte, error) {
	end := trailerEnd.FindSubmatch(file)
	if end == nil {
		return nil, errors.New("pdfwriter: the trailer is not as expected")
	}
	number := func(n int) int { v, _ := strconv.Atoi(string(end[n])); return v } // the pattern has only digits
	u := &tree{next: number(1)}
	u.file.Write(file)
	if err := u.linkPages(file); err != nil {
		return nil, err
	}
	root := u.next
	u.next++
	if err := u.replace(file, number(2), "/Type /Catalog\n", fmt.Sprintf("/MarkInfo <</Marked true>>\n/ViewerPreferences <</DisplayDocTitle true>>\n/StructTreeRoot %d 0 R\n", root)); err != nil {
		return nil, err
	}
	u.number(t.root)
	parents := u.next
	u.next++
	u.put(root, fmt.Sprintf("<</Type /StructTreeRoot /K %d 0 R /ParentTree %d 0 R /ParentTreeNextKey %d>>", t.root.object, parents, len(u.pages)))
	u.putElement(t.root, root)
	u.putParents(parents, t.marks)
	u.end(number(2), number(3), number(4))
	return u.file.Bytes(), nil
}

// linkPages writes the pages again with their keys in the tree.
func (u *tree) linkPages(file []byte) error {
	for key, found := range pageObject.FindAllSubmatch(file, -1) {
		n, _ := strconv.Atoi(string(found[1]))
		u.pages = append(u.pages, n)
		if err := u.replace(file, n, "<</Type /Page\n", fmt.Sprintf("/StructParents %d\n", key)); err != nil {
			return err
		}
	}
	return nil
}

// replace writes an object of the file again, with a text inserted after another one.
func (u *tree) replace(file []byte, number int, after, text string) error {
	_, rest, found := bytes.Cut(file, fmt.Appendf(nil, "\n%d 0 obj\n", number))
	object, _, ended := bytes.Cut(rest, []byte("\nendobj"))
	before, behind, known := bytes.Cut(object, []byte(after))
	if !found || !ended || !known {
		return fmt.Errorf("pdfwriter: object %d is not as expected", number)
	}
	u.put(number, string(before)+after+text+string(behind))
	return nil
}

// number gives numbers to the objects of an element and of those in it.
func (u *tree) number(e *element) {
	e.object = u.next
	u.next++
	for _, k := range e.kids {
		if k.element != nil {
			u.number(k.element)
		}
	}
}

// putElement writes an element and those in it.
func (u *tree) putElement(e *element, parent int) {
	var kids bytes.Buffer
	for _, k := range e.kids {
		if k.element != nil {
			fmt.Fprintf(&kids, "%d 0 R ", k.element.object)
		} else {
			fmt.Fprintf(&kids, "<</Type /MCR /Pg %d 0 R /MCID %d>> ", u.pages[k.page-1], k.mark)
		}
	}
	more := ""
	if e.tag == columnTag {
		more = " /A <</O /Table /Scope /Column>>"
	}
	u.put(e.object, fmt.Sprintf("<</Type /StructElem /S /%s /P %d 0 R /K [%s]%s>>", e.tag, parent, bytes.TrimSpace(kids.Bytes()), more))
	for _, k := range e.kids {
		if k.element != nil {
			u.putElement(k.element, e.object)
		}
	}
}

// putParents writes which element each marked text of each page belongs to.
func (u *tree) putParents(object int, marks [][]*element) {
	var out bytes.Buffer
	for page := range u.pages {
		fmt.Fprintf(&out, "%d [", page)
		if page+1 < len(marks) {
			for _, e := range marks[page+1] {
				fmt.Fprintf(&out, "%d 0 R ", e.object)
			}
		}
		out.WriteString("] ")
	}
	u.put(object, "<</Nums ["+out.String()+"]>>")
}

// put writes an object.
func (u *tree) put(number int, content string) {
	u.offsets = append(u.offsets, objectAt{number, u.file.Len()})
	fmt.Fprintf(&u.file, "%d 0 obj\n%s\nendobj\n", number, content)
}

// end writes the table of the objects that were written, and the trailer.
func (u *tree) end(root, info, previous int) {
	start := u.file.Len()
	u.file.WriteString("xref\n")
	for _, o := range u.offsets {
		fmt.Fprintf(&u.file, "%d 1\n%010d 00000 n \n", o.number, o.offset)
	}
	fmt.Fprintf(&u.file, "trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n", u.next, root, info, previous, start)
}
