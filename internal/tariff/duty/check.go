package duty

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is a member of a request that makes it meaningless.
type Fault struct{ Field, Message string }

// Check returns every fault of a request that its schema cannot say. Products have been put in place before.
func (r *Request) Check() (faults []Fault) {
	add := func(field, format string, values ...any) {
		faults = append(faults, Fault{field, fmt.Sprintf(format, values...)})
	}
	checkCodes("", r.Additions, r.Deductions, add)
	for i := range r.Lines {
		l := &r.Lines[i]
		path := fmt.Sprintf("lines[%d].", i)
		checkCodes(path, l.Additions, l.Deductions, add)
		switch {
		case l.CommodityCode != "" && l.ProductID != "" && !l.supplied:
			add(path+"productId", "must be left out if commodityCode is given")
		case l.CommodityCode == "" && l.ProductID == "":
			add(path+"commodityCode", "is required unless productId is given")
		}
		if l.Origin == "" {
			add(path+"origin", "is required, as no product supplies it")
		}
		if l.Origin != "" && Route(l.dispatch(), r.Destination) == "" {
			add(path+"dispatchCountry", "is the destination: goods within %s are not imported", territory(r.Destination))
		}
		for _, d := range l.Facts.Documents {
			if slices.Contains(l.Facts.DocumentsAbsent, d.Code) {
				add(path+"facts.documentsAbsent", "must not have %s, which is in documents", d.Code)
			}
		}
	}
	return faults
}

func territory(destination string) string {
	if destination == ToNI {
		return "Northern Ireland"
	}
	return "Great Britain"
}

// dispatch is the country that the goods come from.
func (l *RequestLine) dispatch() string {
	if l.DispatchCountry != "" {
		return l.DispatchCountry
	}
	return l.Origin
}

// checkCodes refuses codes of additions among the deductions and the reverse.
func checkCodes(path string, additions, deductions []CodedAmount, add func(field, format string, values ...any)) {
	for i, c := range additions {
		if !strings.HasPrefix(c.Code, "A") {
			add(fmt.Sprintf("%sadditions[%d].code", path, i), "is the code of a deduction")
		}
	}
	for i, c := range deductions {
		if !strings.HasPrefix(c.Code, "B") {
			add(fmt.Sprintf("%sdeductions[%d].code", path, i), "is the code of an addition")
		}
	}
}

// Complete fills in what is left out: references by index, and codes to ten digits.
func (r *Request) Complete() {
	const digits = 10
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Ref == "" {
			l.Ref = fmt.Sprint(i)
		}
		if missing := digits - len(l.CommodityCode); missing > 0 && l.CommodityCode != "" {
			l.CommodityCode += strings.Repeat("0", missing)
		}
	}
}
