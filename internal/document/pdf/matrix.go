package pdf

// matrix is a transformation [a b c d e f] of ISO 32000-1, 8.3.3. Products are converted one
// by one so that no compiler fuses them and all machines get the same result.
type matrix [6]float64

var unit = matrix{1, 0, 0, 1, 0, 0}

// times applies m first and then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		float64(m[0]*n[0]) + float64(m[1]*n[2]), float64(m[0]*n[1]) + float64(m[1]*n[3]),
		float64(m[2]*n[0]) + float64(m[3]*n[2]), float64(m[2]*n[1]) + float64(m[3]*n[3]),
		float64(m[4]*n[0]) + float64(m[5]*n[2]) + n[4], float64(m[4]*n[1]) + float64(m[5]*n[3]) + n[5],
	}
}

func moved(x, y float64) matrix { return matrix{1, 0, 0, 1, x, y} }

// matrixOf reads six numbers.
func matrixOf(values array) (matrix, bool) {
	var m matrix
	if len(values) != len(m) {
		return unit, false
	}
	for i, v := range values {
		m[i] = number(v)
	}
	return m, true
}

// rotation is the transformation of a page that is displayed rotated clockwise.
func rotation(degrees int) matrix {
	switch (degrees%360 + 360) % 360 {
	case 90:
		return matrix{0, -1, 1, 0, 0, 0}
	case 180:
		return matrix{-1, 0, 0, -1, 0, 0}
	case 270:
		return matrix{0, 1, -1, 0, 0, 0}
	}
	return unit
}
