package rule_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/rule"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// complete is a declaration by road that breaks no rule, as edits of an empty one.
const complete = `MesSenMES3=GB123456789000/0000000001; HEAHEA/RefNumHEA4=LRN1; HEAHEA/TraModAtBorHEA76=10; HEAHEA/IdeOfMeaOfTraCroHEA85=AB12CDE;
	HEAHEA/NatOfMeaOfTraCroHEA87=FR; HEAHEA/TotNumOfIteHEA305=1; HEAHEA/TotNumOfPacHEA306=3; HEAHEA/TotGroMasHEA307=10.5; HEAHEA/DecPlaHEA394=Dover;
	HEAHEA/PlaLoaGOOITE334=FRCalais; HEAHEA/PlaUnlGOOITE334=GBDover; TRACONCO1/TINCO159=GB111111111000; TRACONCE1/TINCE159=GB222222222000;
	GOOITEGDS/IteNumGDS7=1; GOOITEGDS/GooDesGDS23=Fresh oranges; GOOITEGDS/GroMasGDS46=10.5; GOOITEGDS/ComRefNumGIM1=REF1;
	GOOITEGDS/PACGS2/KinOfPacGS23=CT; GOOITEGDS/PACGS2/NumOfPacGS24=3; GOOITEGDS/PACGS2/MarNumOfPacGSL21=M1;
	ITI/CouOfRouCodITI1=FR; ITI[2]/CouOfRouCodITI1=GB; TRAREP/TINTRE1=GB444444444000; PERLODSUMDEC/TINPLD1=GB123456789000;
	CUSOFFFENT730/RefNumCUSOFFFENT731=GB000060; TRACARENT601/TINTRACARENT602=GB333333333000`

// edit changes a declaration. "path=text" gives an element a text and makes it if there is none, "path" alone makes an empty
// one, and "-path" removes it. A step such as ITI[2] is the second element of that name.
func edit(root *element.Element, edits string) {
	for change := range strings.SplitSeq(edits, ";") {
		change = strings.TrimLeft(change, " \t\n")
		path, text, given := strings.Cut(change, "=")
		removed, isRemoval := strings.CutPrefix(path, "-")
		switch {
		case path == "":
		case isRemoval:
			gone := reach(root, removed)
			gone.Parent.Children = slices.DeleteFunc(gone.Parent.Children, func(c *element.Element) bool { return c == gone })
		default:
			if e := reach(root, path); given {
				e.Content = text
			}
		}
	}
}

// reach returns the element at a path and makes what is missing.
func reach(at *element.Element, path string) *element.Element {
	for step := range strings.SplitSeq(path, "/") {
		name, index, _ := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		n, _ := strconv.Atoi(cmp.Or(index, "1"))
		for have := len(at.All(name)); have < n; have++ {
			at.Append(element.New(name, ""))
		}
		at = at.All(name)[n-1]
	}
	return at
}

func finish(e *element.Element) {
	e.Complete()
	for _, c := range e.Children {
		finish(c)
	}
}

// secondItem adds a second item, as edits.
const secondItem = `HEAHEA/TotNumOfIteHEA305=2; GOOITEGDS[2]/IteNumGDS7=2; GOOITEGDS[2]/GooDesGDS23=Fresh lemons; GOOITEGDS[2]/ComRefNumGIM1=REF2; `

// check returns what the rules find after edits of the complete declaration, as "number location".
func check(t *testing.T, message string, g verdict.Generation, edits string) (found []string) {
	t.Helper()
	root := &element.Element{Name: safexml.Name{Local: message}}
	edit(root, complete)
	edit(root, edits)
	finish(root)
	for _, e := range rule.Check(root, g) {
		if e.Text == "" || !strings.HasSuffix(e.Text, ".") {
			t.Errorf("rule %d has the text %q", e.Number, e.Text)
		}
		found = append(found, fmt.Sprintf("%d %s", e.Number, strings.TrimPrefix(e.Location, "/ie:"+message+"[1]")))
	}
	return found
}

// The complete declaration breaks no rule, and these variants neither.
func TestAllowed(t *testing.T) {
	for _, edits := range []string{
		"",
		"HEAHEA/TraModAtBorHEA76=1; -HEAHEA/NatOfMeaOfTraCroHEA87; HEAHEA/IdeOfMeaOfTraCroHEA85= 1234567 ; HEAHEA/ConRefNumHEA=XFERab1-2",
		"HEAHEA/TraModAtBorHEA76=1; -HEAHEA/NatOfMeaOfTraCroHEA87; HEAHEA/IdeOfMeaOfTraCroHEA85=12345678; HEAHEA/ConRefNumHEA=voyage XFER",
		"HEAHEA/TraModAtBorHEA76=4; -HEAHEA/NatOfMeaOfTraCroHEA87; -HEAHEA/IdeOfMeaOfTraCroHEA85; HEAHEA/ConRefNumHEA=BA1234A",
		"HEAHEA/SpeCirIndHEA1=E; -HEAHEA/PlaUnlGOOITE334; -HEAHEA/TotGroMasHEA307; -GOOITEGDS/GroMasGDS46; -GOOITEGDS/PACGS2/MarNumOfPacGSL21",
		"HEAHEA/TraModAtBorHEA76=3; HEAHEA/SpeCirIndHEA1=C",
		"HEAHEA/TraModAtBorHEA76=2; -HEAHEA/NatOfMeaOfTraCroHEA87; -HEAHEA/IdeOfMeaOfTraCroHEA85; GOOITEGDS/IDEMEATRAGI970; HEAHEA/SpeCirIndHEA1=D; -TRACARENT601",
		"-TRACONCE1; GOOITEGDS/SPEMENMT2/AddInfCodMT23=10600; NOTPAR670/TINNOTPAR671=GB1",
		"-TRACONCE1; GOOITEGDS/SPEMENMT2/AddInfCodMT23= 10600 ; GOOITEGDS/PRTNOT640/TINPRTNOT641=GB1",
		"GOOITEGDS/PACGS2/KinOfPacGS23=VQ; -GOOITEGDS/PACGS2/NumOfPacGS24; -GOOITEGDS/PACGS2/MarNumOfPacGSL21; HEAHEA/TotNumOfPacHEA306=1",
		"GOOITEGDS/PACGS2/KinOfPacGS23=NE; -GOOITEGDS/PACGS2/NumOfPacGS24; GOOITEGDS/PACGS2/NumOfPieGS25=3",
		secondItem + "GOOITEGDS[2]/PACGS2/KinOfPacGS23=CT; GOOITEGDS[2]/PACGS2/NumOfPacGS24=0; GOOITEGDS[2]/PACGS2/MarNumOfPacGSL21= M1 ",
		secondItem + "-TRACONCO1; GOOITEGDS/TRACONCO2/TINCO259=GB1; GOOITEGDS[2]/TRACONCO2/TINCO259=GB2",
		secondItem + "-TRACONCE1; GOOITEGDS/TRACONCE2/TINCE259=GB1; GOOITEGDS[2]/TRACONCE2/TINCE259=GB1",
		"GOOITEGDS/GroMasGDS46=0.5; HEAHEA/TotGroMasHEA307=0.500", "GOOITEGDS/GroMasGDS46=10.501; GOOITEGDS/GroMasGDS46=10.500",
		"CUSOFFLON/RefNumCOL1=GB000061", "-HEAHEA/TraChaMetOfPayHEA1; GOOITEGDS/MetOfPayGDI12=A",
	} {
		for _, g := range []verdict.Generation{verdict.New, verdict.Old} {
			if found := check(t, "CC315A", g, edits); len(found) > 0 {
				t.Errorf("%s, %s: %q", edits, g, found)
			}
		}
	}
}

// broken are edits of the complete declaration that break a rule, after its number, the place, and old for a rule of the old
// generation alone.
const broken = `
8193 : -TRACONCO1; GOOITEGDS/TRACONCO2/TINCO259=GB1
8193 : @; -TRACONCO1; GOOITEGDS/TRACONCO2/TINCO259=GB1; GOOITEGDS[2]/TRACONCO2/TINCO259=GB1
8102 : GOOITEGDS/IteNumGDS7=2
8102 : @; GOOITEGDS[2]/IteNumGDS7=1
8688 : -GOOITEGDS/PACGS2
8611 : GOOITEGDS[1000]/IteNumGDS7=1000
8617 : SEAID529[10000]/SeaIdSEAID530=S
8684 : -ITI
4065 /MesSenMES3[1]: MesSenMES3=GB123456789000/000000001
4065 /MesSenMES3[1]: MesSenMES3=G1123456789000/0000000001
8107 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=8; -HEAHEA/IdeOfMeaOfTraCroHEA85
8107 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=01; -HEAHEA/IdeOfMeaOfTraCroHEA85
8108 /HEAHEA[1] old: -HEAHEA/NatOfMeaOfTraCroHEA87
8109 /HEAHEA[1] old: -HEAHEA/TotNumOfPacHEA306
8111 /HEAHEA[1]: HEAHEA/SpeCirIndHEA1=C
8112 /HEAHEA[1]: HEAHEA/SpeCirIndHEA1=D
8689 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=5
8689 /HEAHEA[1]: -HEAHEA/TraModAtBorHEA76
8690 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=03
8113 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=4
8114 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=1; HEAHEA/IdeOfMeaOfTraCroHEA85=123456
8115 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=2
8115 /HEAHEA[1]: -HEAHEA/IdeOfMeaOfTraCroHEA85
8116 /HEAHEA[1] old: -GOOITEGDS/PACGS2
8206 /HEAHEA[1]: HEAHEA/TotNumOfIteHEA305=2
8206 /HEAHEA[1] old: -HEAHEA/TotNumOfIteHEA305
8671 /HEAHEA[1]: HEAHEA/TotNumOfIteHEA305=01
8117 /HEAHEA[1] old: HEAHEA/TotNumOfPacHEA306=4
8672 /HEAHEA[1]: HEAHEA/TotNumOfPacHEA306=03
8673 /HEAHEA[1]: HEAHEA/TotGroMasHEA307=+10.5
8118 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=4; HEAHEA/ConRefNumHEA=BRITISH1
8118 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=4
8691 /HEAHEA[1]: HEAHEA/SpeCirIndHEA1=A
8685 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=1; HEAHEA/ConRefNumHEA=XFER
8685 /HEAHEA[1]: HEAHEA/TraModAtBorHEA76=1; HEAHEA/ConRefNumHEA= XFERab-
8686 /HEAHEA[1]: HEAHEA/TotGroMasHEA307=10.499
8686 /HEAHEA[1]: GOOITEGDS/GroMasGDS46=much
8674 /HEAHEA[1]/TotGroMasHEA307[1]: HEAHEA/TotGroMasHEA307=011
8675 /HEAHEA[1]/TotGroMasHEA307[1]: HEAHEA/TotGroMasHEA307=1234567890.12
8676 /HEAHEA[1]/TotGroMasHEA307[1]: HEAHEA/TotGroMasHEA307=11.1234
8677 /HEAHEA[1]/TotGroMasHEA307[1]: HEAHEA/TotGroMasHEA307=11.
8119 /TRACONCO1[1]: GOOITEGDS/TRACONCO2/TINCO259=GB1
8204 /TRACONCE1[1]: GOOITEGDS/SPEMENMT2/AddInfCodMT23=10600
8105 /TRACONCE1[1]: HEAHEA/SpeCirIndHEA1=E; -TRACONCE1/TINCE159
8619 /NOTPAR670[1]: NOTPAR670/TINNOTPAR671=GB1
8207 /GOOITEGDS[1]: -GOOITEGDS/GooDesGDS23
8687 /GOOITEGDS[1]: -HEAHEA/PlaUnlGOOITE334
8199 /GOOITEGDS[1]: -HEAHEA/IdeOfMeaOfTraCroHEA85
8622 /GOOITEGDS[1]: GOOITEGDS/SPEMENMT2/AddInfCodMT23=10600
8623 /GOOITEGDS[1]: -TRACONCE1
8612 /GOOITEGDS[1]: GOOITEGDS/IDEMEATRAGI970[1000]
8103 /GOOITEGDS[1]: -GOOITEGDS/GroMasGDS46; -HEAHEA/TotGroMasHEA307
8104 /GOOITEGDS[1]: -HEAHEA/PlaLoaGOOITE334
8170 /GOOITEGDS[2]: @; -GOOITEGDS[2]/ComRefNumGIM1
8678 /GOOITEGDS[1]/IteNumGDS7[1]: GOOITEGDS/IteNumGDS7=01
8674 /GOOITEGDS[1]/GroMasGDS46[1]: GOOITEGDS/GroMasGDS46=00.5
8675 /GOOITEGDS[1]/GroMasGDS46[1]: GOOITEGDS/GroMasGDS46=1234567890.12
8676 /GOOITEGDS[1]/GroMasGDS46[1]: GOOITEGDS/GroMasGDS46=1.0001
8677 /GOOITEGDS[1]/GroMasGDS46[1]: GOOITEGDS/GroMasGDS46=.5
8679 /GOOITEGDS[1]/GroMasGDS46[1]: GOOITEGDS/GroMasGDS46=-5
8135 /GOOITEGDS[1]/MetOfPayGDI12[1]: GOOITEGDS/MetOfPayGDI12=A; HEAHEA/TraChaMetOfPayHEA1=A
8136 /GOOITEGDS[1]/PlaLoaGOOITE333[1]: GOOITEGDS/PlaLoaGOOITE333=FRCalais
8171 /GOOITEGDS[1]/PlaUnlGOOITE333[1]: GOOITEGDS/PlaUnlGOOITE333=GBDover
8119 /GOOITEGDS[1]/TRACONCO2[1]: GOOITEGDS/TRACONCO2/TINCO259=GB1
8624 /GOOITEGDS[1]/TRACONCE2[1]: GOOITEGDS/TRACONCE2/TINCE259=GB1; GOOITEGDS/SPEMENMT2/AddInfCodMT23=10600
8625 /GOOITEGDS[1]/TRACONCE2[1]: GOOITEGDS/TRACONCE2/TINCE259=GB1
8208 /GOOITEGDS[1]/TRACONCE2[1]: GOOITEGDS/TRACONCE2; HEAHEA/SpeCirIndHEA1=E
8147 /GOOITEGDS[1]/IDEMEATRAGI970[1]: GOOITEGDS/IDEMEATRAGI970
8198 /GOOITEGDS[1]/IDEMEATRAGI970[1]: GOOITEGDS/IDEMEATRAGI970/NatIDEMEATRAGI973=FR
8114 /GOOITEGDS[1]/IDEMEATRAGI970[1]/IdeMeaTraGIMEATRA971[1]: HEAHEA/TraModAtBorHEA76=8; GOOITEGDS/IDEMEATRAGI970/IdeMeaTraGIMEATRA971=SHIP
8149 /GOOITEGDS[1]/PACGS2[1]: GOOITEGDS/PACGS2/KinOfPacGS23=VQ
8150 /GOOITEGDS[1]/PACGS2[1]: GOOITEGDS/PACGS2/KinOfPacGS23=NG
8151 /GOOITEGDS[1]/PACGS2[1]: GOOITEGDS/PACGS2/NumOfPieGS25=3
8151 /GOOITEGDS[1]/PACGS2[2]: GOOITEGDS/PACGS2[2]/KinOfPacGS23=CT
8152 /GOOITEGDS[1]/PACGS2[1]: -GOOITEGDS/PACGS2/MarNumOfPacGSL21
8153 /GOOITEGDS[1]/PACGS2[1]: GOOITEGDS/PACGS2/NumOfPacGS24=0
8153 /GOOITEGDS[1]/PACGS2[2]: GOOITEGDS/PACGS2[2]/NumOfPacGS24=0; GOOITEGDS/PACGS2[2]/MarNumOfPacGSL21=M2
8680 /GOOITEGDS[1]/PACGS2[1]/NumOfPacGS24[1]: GOOITEGDS/PACGS2/NumOfPacGS24=03
8681 /GOOITEGDS[1]/PACGS2[1]/NumOfPieGS25[1]: GOOITEGDS/PACGS2/NumOfPieGS25=03
8620 /GOOITEGDS[1]/PRTNOT640[1]: GOOITEGDS/PRTNOT640/TINPRTNOT641=GB1
8621 /GOOITEGDS[1]/PRTNOT640[1]: GOOITEGDS/PRTNOT640/TINPRTNOT641=GB1; NOTPAR670/TINNOTPAR671=GB1
8616 /CUSOFFLON[1]/RefNumCOL1[1]: CUSOFFLON/RefNumCOL1= GB000060
8656 /TRAREP[1]/NamTRE1[1]: TRAREP/NamTRE1=N
8657 /TRAREP[1]/StrAndNumTRE1[1]: TRAREP/StrAndNumTRE1=S
8658 /TRAREP[1]/PosCodTRE1[1]: TRAREP/PosCodTRE1=P
8659 /TRAREP[1]/CitTRE1[1]: TRAREP/CitTRE1=C
8660 /TRAREP[1]/CouCodTRE1[1]: TRAREP/CouCodTRE1=GB
8661 /PERLODSUMDEC[1]/NamPLD1[1]: PERLODSUMDEC/NamPLD1=N
8662 /PERLODSUMDEC[1]/StrAndNumPLD1[1]: PERLODSUMDEC/StrAndNumPLD1=S
8663 /PERLODSUMDEC[1]/PosCodPLD1[1]: PERLODSUMDEC/PosCodPLD1=P
8664 /PERLODSUMDEC[1]/CitPLD1[1]: PERLODSUMDEC/CitPLD1=C
8665 /PERLODSUMDEC[1]/CouCodPLD1[1]: PERLODSUMDEC/CouCodPLD1=GB
8692 /PERLODSUMDEC[1]/TINPLD1[1]: PERLODSUMDEC/TINPLD1= GB123456789000
8164 /TRACARENT601[1]: -TRACARENT601/TINTRACARENT602
8195 /TRACARENT601[1]/TINTRACARENT602[1]: TRACARENT601/TINTRACARENT602=GB123456789000
`

var index = regexp.MustCompile(`\[[0-9]+\]`)

// Every rule is broken by a declaration, at its place, in its generation alone.
func TestBroken(t *testing.T) {
	seen := map[rule.Known]bool{}
	for line := range strings.Lines(broken + brokenParties()) {
		head, edits, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		verdictText, old := strings.CutSuffix(head, " old")
		number, place, _ := strings.Cut(strings.TrimSpace(verdictText), " ")
		expected := number + " " + place
		edits = strings.ReplaceAll(edits, "@;", secondItem)
		if found := check(t, "CC315A", verdict.Old, edits); !slices.Contains(found, expected) {
			t.Errorf("%s: old %q", line, found)
		}
		if found := check(t, "CC315A", verdict.New, edits); slices.Contains(found, expected) == old {
			t.Errorf("%s: new %q", line, found)
		}
		n, _ := strconv.Atoi(number)
		at := cmp.Or(strings.TrimPrefix(index.ReplaceAllString(place, ""), "/"), ".")
		seen[rule.Known{Number: n, At: at}] = true
	}
	for _, r := range rule.All() {
		if !seen[rule.Known{Number: r.Number, At: r.At}] {
			t.Errorf("no declaration breaks rule %d at %s", r.Number, r.At)
		}
	}
}

// brokenParties are edits that break each rule for the parts of parties.
func brokenParties() string {
	var all strings.Builder
	for _, p := range rule.Parties() {
		place := strings.ReplaceAll("/"+p.At, "/", "[1]/")[3:] + "[1]"
		for i, part := range p.Parts {
			fmt.Fprintf(&all, "%d %s: %s; -%s/%s\n", p.Unidentified+i, place, p.At, p.At, p.EORI)
			fmt.Fprintf(&all, "%d %s/%s[1]: %s/%s=GB1; %s/%s=text\n", p.British+i, place, part, p.At, p.EORI, p.At, part)
			fmt.Fprintf(&all, "%d %s: %s/%s= GB1\n", p.Foreign+i, place, p.At, p.EORI)
		}
	}
	return all.String()
}

// The office of lodgement is a matter of declarations, not of amendments. HMRC has 204 rules in all.
func TestMessages(t *testing.T) {
	const edits = "CUSOFFLON/RefNumCOL1=GB000060"
	if found := check(t, "CC313A", verdict.New, edits); len(found) > 0 {
		t.Errorf("an amendment: %q", found)
	}
	all, shared := rule.All(), 0
	for _, r := range all {
		if r.At == "HEAHEA" && r.Only == "" {
			shared++ // HMRC lists them in each generation
		}
	}
	if len(all)+shared != 204 {
		t.Errorf("%d rules, and %d of them in both generations", len(all), shared)
	}
}
