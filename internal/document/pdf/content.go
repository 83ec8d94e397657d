package pdf

// Limits of a page.
const (
	maxGlyphs     = 100_000
	maxOperations = 2_000_000
	maxForms      = 2000 // on a page
	maxFormDepth  = 8
	maxOperands   = 64_000
	maxStates     = 256 // saved with q
)

// Glyph is a character on a page: its left end and baseline, width and size, in points, on the
// page as it is displayed.
type Glyph struct {
	X, Y, Width, Size float64
	Text              string
}

// state is what the operator q saves and Q restores.
type state struct {
	view          matrix
	font          *font
	size, rise    float64
	char, word    float64 // spacing
	stretch, lead float64
}

// painter runs the operators of one page and collects the characters.
type painter struct {
	file       *file
	fonts      map[any]*font // of the document, by reference
	state      state
	saved      []state
	text, line matrix
	glyphs     []Glyph
	pictures   []placed
	operations int
	forms      int
	cut        bool // a limit was reached
}

func newPainter(f *file, fonts map[any]*font, view matrix) *painter {
	return &painter{file: f, fonts: fonts, state: state{view: view, stretch: 1}, text: unit, line: unit}
}

// run runs a content stream with its resources.
func (p *painter) run(data []byte, resources dict, depth int) {
	room := maxOperands
	l := &lexer{data: data, room: &room}
	var operands array
	for !p.cut {
		v := l.next()
		op, isWord := v.(word)
		if !isWord {
			operands = append(operands, v)
			continue
		}
		if op == end {
			return
		}
		if p.operations++; p.operations > maxOperations || p.operations%1024 == 0 && p.file.ctx.Err() != nil {
			p.cut = true
		}
		switch op {
		case "Do":
			p.draw(operands, resources, depth)
		case "BI":
			skipImage(l)
		case "Tf":
			p.choose(operands, resources)
		default:
			p.operate(op, operands)
		}
		operands, room = operands[:0], maxOperands
	}
}

// skipImage skips an inline image, up to EI between spaces.
func skipImage(l *lexer) {
	for at := l.at; at+3 < len(l.data); at++ {
		if isSpace(l.data[at]) && l.data[at+1] == 'E' && l.data[at+2] == 'I' && isSpace(l.data[at+3]) {
			l.at = at + 3
			return
		}
	}
	l.at = len(l.data)
}

// draw runs a form, which has content of its own.
func (p *painter) draw(operands array, resources dict, depth int) {
	if len(operands) != 1 || depth >= maxFormDepth {
		return
	}
	objects, _ := p.file.resolve(resources["XObject"]).(dict)
	form, ok := p.file.resolve(objects[nameOf(operands[0])]).(stream)
	kind := nameOf(p.file.resolve(form.dict["Subtype"]))
	if kind == "Image" && len(p.pictures) < maxPictures {
		p.pictures = append(p.pictures, placed{form, p.state.view})
	}
	if !ok || kind != "Form" {
		return
	}
	if p.forms++; p.forms > maxForms {
		p.cut = true
		return
	}
	before := p.state
	if m, ok := matrixOf(p.file.list(form.dict["Matrix"])); ok {
		p.state.view = m.times(p.state.view)
	}
	own, ok := p.file.resolve(form.dict["Resources"]).(dict)
	if !ok {
		own = resources
	}
	saved := p.saved
	p.saved = nil
	p.run(p.file.applyFilters(form), own, depth+1)
	p.state, p.saved = before, saved
}

// choose sets the font. A font is read once for each reference.
func (p *painter) choose(operands array, resources dict) {
	if len(operands) != 2 {
		return
	}
	p.state.size = number(operands[1])
	fonts, _ := p.file.resolve(resources["Font"]).(dict)
	key := fonts[nameOf(operands[0])]
	d, ok := p.file.resolve(key).(dict)
	if !ok {
		p.state.font = nil
		return
	}
	if _, isReference := key.(ref); !isReference {
		p.state.font = p.file.font(d)
		return
	}
	known, ok := p.fonts[key]
	if !ok && len(p.fonts) < maxFonts {
		known = p.file.font(d)
		p.fonts[key] = known
	}
	p.state.font = known
}

// show writes a string.
func (p *painter) show(s text) {
	f := p.state.font
	if f == nil {
		return
	}
	f.glyphs(s, func(code int, shown string, width float64) {
		if p.cut {
			return
		}
		at := matrix{float64(p.state.size * p.state.stretch), 0, 0, p.state.size, 0, p.state.rise}.times(p.text).times(p.state.view)
		advance := float64(width/1000*p.state.size) + p.state.char
		if code == ' ' && !f.wide {
			advance += p.state.word
		}
		p.addGlyph(at, width, shown)
		p.text = moved(float64(advance*p.state.stretch), 0).times(p.text)
	})
}

// addGlyph adds a glyph if it is upright.
func (p *painter) addGlyph(at matrix, width float64, shown string) {
	if shown == "" || at[0] <= 0 || at[3] == 0 || abs(at[1]) > at[0]/10 {
		return
	}
	if len(p.glyphs) >= maxGlyphs {
		p.cut = true
		return
	}
	p.glyphs = append(p.glyphs, Glyph{X: at[4], Y: at[5], Width: width / 1000 * at[0], Size: abs(at[3]), Text: shown})
}

func abs(x float64) float64 { return max(x, -x) }
