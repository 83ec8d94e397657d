package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// Documents that a declaration was made from are kept with it byte for byte, in any status, whatever their format; customs gets
// none of them.
func TestSourceDocuments(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-D-1")
		path := "/api/declarations/" + id + "/source-documents"
		workbook := document{"packing_list", "list.xlsx", "PK\x03\x04 sheets"}
		c.call("POST", path, documentsForm(t, document{"invoice", "invoice.pdf", "%PDF-1.7 invoice"}, workbook), formHeader...).want(t, 200)
		got := c.call("GET", "/api/declarations/"+id, nil).want(t, 200)
		all, _ := got.in("declaration", "sourceDocuments").([]any)
		if len(all) != 2 || len(got.files()) != 0 {
			t.Fatalf("%s", got.text)
		}
		second := all[1].(map[string]any)
		sum := sha256.Sum256([]byte(workbook.content))
		if second["sha256"] != hex.EncodeToString(sum[:]) || second["documentType"] != "packing_list" || second["fileName"] != "list.xlsx" {
			t.Errorf("%v", second)
		}
		if kept := c.call("GET", "/api/declarations/"+id+"/files/"+second["id"].(string), nil).want(t, 200); kept.text != workbook.content {
			t.Errorf("kept is %q", kept.text)
		}
		pack := c.evidence("/api/declarations/" + id)
		if pack["files/"+second["id"].(string)+".xlsx"] != workbook.content {
			t.Error("the evidence pack does not contain the packing list")
		}
		wrong := c.call("POST", path, documentsForm(t, document{"letter", "a.pdf", "x"}, document{"invoice", "b.pdf", ""}), formHeader...)
		wrong.refused(t, 400, "invalid_request")
		for _, field := range []string{"documentType[0]", "file[1]"} {
			if !strings.Contains(wrong.text, field) {
				t.Errorf("%s is not named: %s", field, wrong.text)
			}
		}
	})
}
