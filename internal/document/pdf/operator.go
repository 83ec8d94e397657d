package pdf

// operate runs an operator that needs no resources (ISO 32000-1, annex A). With wrong operands
// it does nothing.
func (p *painter) operate(op word, operands array) {
	switch op {
	case "q":
		if len(p.saved) < maxStates {
			p.saved = append(p.saved, p.state)
		}
	case "Q":
		if n := len(p.saved); n > 0 {
			p.state, p.saved = p.saved[n-1], p.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(operands); ok {
			p.state.view = m.times(p.state.view)
		}
	case "BT":
		p.text, p.line = unit, unit
	case "Tm":
		if m, ok := matrixOf(operands); ok {
			p.text, p.line = m, m
		}
	case "Td":
		p.move(operands)
	case "TD":
		if len(operands) == 2 {
			p.state.lead = -number(operands[1])
		}
		p.move(operands)
	case "T*":
		p.nextLine()
	default:
		p.set(op, operands)
	}
}

func (p *painter) move(operands array) {
	if len(operands) == 2 {
		p.line = moved(number(operands[0]), number(operands[1])).times(p.line)
		p.text = p.line
	}
}

func (p *painter) nextLine() { p.move(array{0.0, -p.state.lead}) }

// set runs the operators with one operand, and those that show text.
func (p *painter) set(op word, operands array) {
	if op == `"` && len(operands) == 3 {
		p.state.word, p.state.char = number(operands[0]), number(operands[1])
		op, operands = "'", operands[2:]
	}
	if len(operands) != 1 {
		return
	}
	switch v := operands[0]; op {
	case "Tc":
		p.state.char = number(v)
	case "Tw":
		p.state.word = number(v)
	case "Tz":
		p.state.stretch = number(v) / 100
	case "TL":
		p.state.lead = number(v)
	case "Ts":
		p.state.rise = number(v)
	case "Tj":
		s, _ := v.(text)
		p.show(s)
	case "'":
		p.nextLine()
		s, _ := v.(text)
		p.show(s)
	case "TJ":
		pieces, _ := v.(array)
		for _, piece := range pieces {
			switch piece := piece.(type) {
			case text:
				p.show(piece)
			case float64:
				p.text = moved(float64(-piece/1000*p.state.size*p.state.stretch), 0).times(p.text)
			}
		}
	}
}
