package origin

import (
	"fmt"
	"math/big"
	"strings"
)

// String returns the conditions in a short form, for tests and logs.
func (n Node) String() string {
	if n.Op == Is {
		return fmt.Sprint(n.Leaf)
	}
	var parts []string
	for _, c := range n.Nodes {
		parts = append(parts, c.String())
	}
	return [...]string{All: "all", Any: "any", Readings: "readings"}[n.Op] + "(" + strings.Join(parts, "; ") + ")"
}

// String returns the set in a short form.
func (s Set) String() string {
	var parts []string
	if s.Same > 0 {
		parts = append(parts, fmt.Sprintf("same %d digits", s.Same))
	}
	if s.Words != "" {
		parts = append(parts, "'"+s.Words+"'")
	}
	for _, r := range s.Codes {
		if r.From == r.To {
			parts = append(parts, r.From)
		} else {
			parts = append(parts, r.From+"-"+r.To)
		}
	}
	if s.Loose {
		parts = append(parts, "loose")
	}
	for _, e := range s.Except {
		parts = append(parts, "not ["+e.String()+"]")
	}
	for _, o := range s.Or {
		parts = append(parts, "or ["+o.String()+"]")
	}
	if len(parts) == 0 {
		return "all"
	}
	return strings.Join(parts, " ")
}

func (c Excluding) String() string {
	text := "none"
	if c.Level > 0 {
		text = fmt.Sprintf("change %d", c.Level)
	}
	if len(c.Sets) > 0 {
		text += fmt.Sprintf(" except %v", c.Sets)
	}
	if len(c.May) > 0 {
		text += fmt.Sprintf(" allowing %v", c.May)
	}
	return text
}

func (c From) String() string { return fmt.Sprintf("from %v", c.Sets) }

func (c Ceiling) String() string {
	return fmt.Sprintf("%v max %s of %s", c.Of, percentText(c.Percent), [...]string{"EXW", "FOB", "mass"}[c.Base])
}

func (c Obtained) String() string { return fmt.Sprintf("obtained [%v]", c.Of) }

func (c Share) String() string {
	return fmt.Sprintf("originating %s of [%v]", percentText(c.Percent), c.Of)
}

func (Outweighed) String() string { return "non-originating <= originating" }

func (c Content) String() string {
	return fmt.Sprintf("content %s %s of %s", [...]string{"down", "up"}[c.Method], percentText(c.Percent), [...]string{"EXW", "FOB", "mass"}[c.Base])
}

func (c ForGoods) String() string { return fmt.Sprintf("for [%v]", c.Of) }

func (c Process) String() string { return c.Code }

func (c Several) String() string { return fmt.Sprintf("%d of %v", c.Count, c.Codes) }

func (c Unread) String() string { return fmt.Sprintf("unread %q", c.Text) }

func percentText(p *big.Rat) string {
	return strings.TrimRight(strings.TrimRight(p.FloatString(4), "0"), ".") + "%"
}
