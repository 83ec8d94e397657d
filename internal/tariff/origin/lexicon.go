package origin

// lexicon says which codes words have. Introductory notes of the agreements define the textile words (note 4 or 6 of the
// pan-Euro-Mediterranean lists): natural fibres are of headings 0511, 5002, 5003, 5101 to 5105, 5201 to 5203 and 5301 to
// 5305; textile pulp, chemical materials and paper-making materials are outside of chapters 50 to 63; man-made staple
// fibres are of headings 5501 to 5507. Farm products are of chapters 1 to 24, and what is made of them for other uses of
// headings 3501 to 3505. A word that is not here may be of any heading.
var lexicon = plainKeys(map[string]meaning{
	"natural fibres":                         {may: naturalFibres},
	"man-made staple fibres":                 {may: manMadeFibres},
	"yarn":                                   {is: yarns, may: yarnLike},
	"chemical materials":                     {may: outsideTextiles},
	"textile pulp":                           {may: outsideTextiles},
	"paper-making materials":                 {may: outsideTextiles},
	"paper-making materials of chapter 47":   {is: []Range{{"47", "47"}}, may: []Range{{"47", "47"}}},
	"sugar":                                  {is: []Range{{"1701", "1702"}}, may: farmProducts},
	"cereals":                                {is: []Range{{"10", "10"}}, may: farmProducts},
	"cereals of chapter 10":                  {is: []Range{{"10", "10"}}, may: []Range{{"10", "10"}}},
	"unmanufactured tobacco":                 {is: []Range{{"2401", "2401"}}, may: []Range{{"24", "24"}}},
	"fruit":                                  {may: farmProducts},
	"fruits":                                 {may: farmProducts},
	"fruit and nuts":                         {may: farmProducts},
	"fruit nuts":                             {may: farmProducts},
	"vegetables":                             {may: farmProducts},
	"fruit nuts or vegetables":               {may: farmProducts},
	"grapes":                                 {may: farmProducts},
	"materials derived from grapes":          {may: nil},
	"maize":                                  {is: []Range{{"1005", "1005"}}, may: farmProducts},
	"olives":                                 {may: farmProducts},
	"chicory":                                {may: farmProducts},
	"milk":                                   {may: farmProducts},
	"meat":                                   {may: farmProducts},
	"cereals and flour":                      {may: farmProducts},
	"cereals and derivatives":                {may: farmProducts},
	"cereals and their derivatives":          {may: farmProducts},
	"fruit juice":                            {is: nil, may: farmProducts},
	"fish and crustaceans":                   {may: farmProducts},
	"durum wheat and its derivatives":        {may: farmProducts},
	"potatoes":                               {may: farmProducts},
	"animals of chapter 1":                   {is: []Range{{"01", "01"}}, may: []Range{{"01", "01"}}},
	"fabric":                                 {may: textiles},
	"unprinted fabric":                       {may: textiles},
	"unembroidered fabric":                   {may: textiles},
	"uncoated fabric":                        {may: textiles},
	"tobacco refuse of heading 2401":         {is: []Range{{"2401", "2401"}}, may: []Range{{"2401", "2401"}}},
	"unmanufactured tobacco of heading 2401": {is: []Range{{"2401", "2401"}}, may: []Range{{"2401", "2401"}}},
	"unbleached single yarn":                 {may: yarnLike},
	"single yarn":                            {may: yarnLike},
	"coir yarn":                              {may: []Range{{"5308", "5308"}}},
	"wool grease":                            {may: []Range{{"1505", "1505"}}},
	"raw silk":                               {may: []Range{{"5002", "5002"}}},
	"silk waste":                             {may: []Range{{"5003", "5003"}}},
	"natural rubber":                         {is: []Range{{"4001", "4001"}}, may: []Range{{"40", "40"}}},
	"materials of the same group":            {may: nil},
	"precious metals":                        {may: []Range{{"71", "71"}}},
	"unwrought precious metals":              {may: []Range{{"71", "71"}}},
	"precious or semi-precious stones":       {may: []Range{{"71", "71"}}},
	"unworked precious or semi-precious stones": {may: []Range{{"71", "71"}}},
})

func plainKeys(words map[string]meaning) map[string]meaning {
	all := map[string]meaning{}
	for word, m := range words {
		all[plain(word)] = m
	}
	return all
}

var (
	naturalFibres   = []Range{{"0511", "0511"}, {"5002", "5003"}, {"5101", "5105"}, {"5201", "5203"}, {"5301", "5305"}}
	manMadeFibres   = []Range{{"5501", "5507"}}
	yarns           = []Range{{"5004", "5005"}, {"5106", "5110"}, {"5205", "5207"}, {"5306", "5307"}, {"5402", "5403"}, {"5509", "5511"}}
	yarnLike        = []Range{{"5004", "5006"}, {"5106", "5110"}, {"5204", "5207"}, {"5306", "5308"}, {"5401", "5406"}, {"5508", "5511"}, {"5604", "5607"}}
	textiles        = []Range{{"39", "40"}, {"50", "63"}, {"70", "70"}}
	outsideTextiles = []Range{{"01", "49"}, {"64", "97"}}
	farmProducts    = []Range{{"01", "24"}, {"3501", "3505"}}
)
