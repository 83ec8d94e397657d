package origin

// answer is true, false or not known. The order no < open < yes makes min the conjunction and max the disjunction.
type answer int8

const (
	no answer = iota
	open
	yes
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

func (a answer) not() answer { return yes - a }
