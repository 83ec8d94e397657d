package chart

import (
	"html/template"
	"math/big"
	"strings"
)

// Spark is a sparkline, shown beside a text with the amounts.
type Spark struct {
	Text    string // text alternative
	Amounts []int64
}

// HTML returns the sparkline.
func (s Spark) HTML() (template.HTML, error) { return render("spark", s) }

// Height of the sparkline, and the distance between two amounts, in SVG units.
const (
	sparkHeight = 24_00
	sparkStep   = 10_00
)

// Width returns the width in SVG units.
func (s Spark) Width() string { return hundredths(max(sparkStep, sparkStep*int64(len(s.Amounts)-1))) }

// Points returns the points of the line.
func (s Spark) Points() string {
	most := new(big.Int)
	for _, a := range s.Amounts {
		most = largest([]*big.Int{most, big.NewInt(a)})
	}
	var points []string
	for i, a := range s.Amounts {
		points = append(points, hundredths(sparkStep*int64(i))+","+hundredths(sparkHeight-part(big.NewInt(a), most, sparkHeight)))
	}
	if len(points) == 1 { // a line needs two ends
		points = append(points, strings.Replace(points[0], "0,", hundredths(sparkStep)+",", 1))
	}
	return strings.Join(points, " ")
}
