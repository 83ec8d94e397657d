package ident

// Lengths of a local reference number (DE 2/5): what customs takes, less the prefix.
const (
	lrnPrefix = "TWS"
	lrnLength = 22
	lrnStamp  = 9 // characters of five bits: enough until the year 3084
)

// LRN is a new local reference number, which nobody makes twice: the milliseconds
// since 1970, so that new ones lie together in an index, and 50 random bits.
//
// Its prefix is chosen with care. HMRC's test service is steered by the first
// letters of the LRN: B, C, D, G, K, L, N, P, Q, R, U and X, or a beginning such as
// TAX_LIABILITY, call for an outcome, a digit in the second place for a delay, and
// an S in the third for "cancellation granted". So T and W ask for nothing, and S
// lets a cancellation through.
func (s *Source) LRN() string {
	var stamp [lrnStamp]byte
	ms := s.now().UnixMilli()
	for i := range stamp {
		stamp[lrnStamp-1-i] = crockford[ms&31]
		ms >>= 5
	}
	return lrnPrefix + string(stamp[:]) + s.Text(crockford, lrnLength-len(lrnPrefix)-lrnStamp)
}
