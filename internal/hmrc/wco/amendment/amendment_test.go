package amendment_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
)

// declaration returns a declaration with two items.
func declaration() wco.Declaration {
	var d wco.Declaration
	d.FunctionCode, d.FunctionalReferenceID, d.TypeCode = "9", "LRN1", "IMA"
	d.TotalPackageQuantity = "3"
	d.GoodsShipment.GovernmentAgencyGoodsItem = make([]wco.GovernmentAgencyGoodsItem, 2)
	for i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		item := &d.GoodsShipment.GovernmentAgencyGoodsItem[i]
		item.SequenceNumeric = wco.Count(i + 1)
		item.Commodity.Description = "Shirts"
		item.Commodity.GoodsMeasure.NetNetWeightMeasure = wco.Measure{Value: "100"}
	}
	return d
}

// An amendment names each changed element with a pointer down to its tag, as HMRC's sample TT_IM005b does for the net
// mass, and contains the changed elements alone.
func TestRequest(t *testing.T) {
	before, after := declaration(), declaration()
	after.FunctionalReferenceID = "LRN2"
	after.TotalPackageQuantity = "4"
	after.GoodsShipment.GovernmentAgencyGoodsItem[1].Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "89"
	r, err := amendment.Request("OWN1", "26GBAAAAAAAAAAAAA1", "28", "Wrong weight", &before, &after)
	if err != nil {
		t.Fatal(err)
	}
	xml, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<FunctionCode>13</FunctionCode><FunctionalReferenceID>OWN1</FunctionalReferenceID><ID>26GBAAAAAAAAAAAAA1</ID><TypeCode>COR</TypeCode><TotalPackageQuantity>4</TotalPackageQuantity>",
		"<StatementDescription>Wrong weight</StatementDescription>",
		"<Pointer><SequenceNumeric>2</SequenceNumeric><DocumentSectionCode>06A</DocumentSectionCode></Pointer>",
		"<Pointer><SequenceNumeric>2</SequenceNumeric><DocumentSectionCode>68A</DocumentSectionCode></Pointer><Pointer><SequenceNumeric>1</SequenceNumeric><DocumentSectionCode>23A</DocumentSectionCode></Pointer>" +
			"<Pointer><SequenceNumeric>1</SequenceNumeric><DocumentSectionCode>65A</DocumentSectionCode><TagID>128</TagID></Pointer>",
		"<GovernmentAgencyGoodsItem><SequenceNumeric>2</SequenceNumeric><Commodity><GoodsMeasure>",
	} {
		if !strings.Contains(string(xml), want) {
			t.Errorf("%s is not in %s", want, xml)
		}
	}
	if strings.Contains(string(xml), "Shirts") || strings.Count(string(xml), "<Amendment>") != 2 || strings.Count(string(xml), "<GovernmentAgencyGoodsItem>") != 1 {
		t.Errorf("more than what has changed: %s", xml)
	}
}

// An added or removed goods item is one change, like a removed entry of any list. An added entry of another list is a change
// of each of its elements. A list without sequence numbers is repeated up to its last change.
func TestCompare(t *testing.T) {
	before, after := declaration(), declaration()
	after.GoodsShipment.GovernmentAgencyGoodsItem = after.GoodsShipment.GovernmentAgencyGoodsItem[:1]
	after.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument = []wco.AdditionalDocument{{CategoryCode: "N"}}
	changes, branch, err := amendment.Compare(&before, &after)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range changes {
		got += fmt.Sprintf("%s %s>%s\n", strings.TrimPrefix(c.Path, "Declaration/GoodsShipment/"), c.Before, c.After)
	}
	const want = `GovernmentAgencyGoodsItem[1]/AdditionalDocument[1]/CategoryCode >N
GovernmentAgencyGoodsItem[2] Shirts 100>
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if n := len(branch.GoodsShipment.GovernmentAgencyGoodsItem); n != 1 {
		t.Errorf("%d items in the branch", n)
	}
	items := append(slices.Clone(after.GoodsShipment.GovernmentAgencyGoodsItem), before.GoodsShipment.GovernmentAgencyGoodsItem[1])
	items[0].AdditionalDocument = []wco.AdditionalDocument{{CategoryCode: "N"}, {CategoryCode: "C"}}
	more := declaration()
	more.GoodsShipment.GovernmentAgencyGoodsItem = items
	changes, branch, err = amendment.Compare(&after, &more)
	if err != nil || len(changes) != 2 || changes[1].Path != "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]" || changes[1].Pointer.String() != "42A.67A.68A[2]" {
		t.Errorf("an added item gives %v (%v)", changes, err)
	}
	if got := branch.GoodsShipment.GovernmentAgencyGoodsItem; len(got) != 2 || len(got[0].AdditionalDocument) != 2 {
		t.Errorf("the second document stands alone, so that its place is lost: %+v", got)
	}
	if _, err := amendment.Request("A", "B", "32", "C", &before, &before); !errors.Is(err, amendment.ErrNoChange) {
		t.Errorf("nothing has changed: %v", err)
	}
}

// Every element of HMRC's sample submissions has a pointer, so that any change of it can be requested.
func TestEveryElementOfTheSamplesHasAPointer(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/customs/submissions/*.xml")
	if len(files) == 0 {
		t.Skip("the samples are not there")
	}
	missing := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(text)
		if err != nil {
			continue
		}
		if _, _, err := amendment.Compare(&wco.Declaration{}, &d); err != nil {
			missing[err.Error()] = true
		}
	}
	for text := range missing {
		t.Error(text)
	}
}
