package documents

import "fmt"

// paperSums is the number of ways in which papers write their totals.
const paperSums = 9

// sums writes the totals: below each other, with freight, with a table of rates, or in a sentence.
func (p *paper) sums(style int) {
	var sum int
	fmt.Sscan(p.want["sum"], &sum)
	words := paperWords[p.code]
	tax := sum / 5
	goods, vat, grand := p.label("goods"), p.label("tax"), p.label("grand")
	y := p.y - 20
	block := func(pairs []pair, code bool) {
		for _, one := range pairs {
			value := one.value
			if code {
				value = p.currency + " " + value
			}
			p.flush(440, y, 12, 9, one.label)
			p.flush(545, y, 12, 9, value)
			y -= 13
		}
	}
	p.want["totals.goods"] = decimal(sum)
	switch style {
	case 0:
		block([]pair{{goods, p.amount(sum)}, {vat + " (20 %)", p.amount(tax)}, {grand, p.amount(sum + tax)}}, true)
	case 1: // with freight
		freight := 2500
		tax = (sum + freight) / 5
		block([]pair{{goods, p.amount(sum)}, {words.freight, p.amount(freight)}, {vat, p.amount(tax)}, {grand + " " + p.currency, p.amount(sum + freight + tax)}}, false)
		p.want["totals.freight"] = decimal(freight)
		sum += freight
	case 2: // a table of rates
		heads := []string{words.rate, words.base, vat, p.label("grand")}
		for i, h := range heads {
			p.put(p.x+float64(i)*90, y, 8, h)
		}
		for i, v := range []string{"20 %", p.amount(sum), p.amount(tax), p.amount(sum + tax)} {
			p.put(p.x+float64(i)*90, y-12, 8, v)
		}
		y -= 30
		block([]pair{{grand, p.amount(sum + tax)}}, true)
	case 3: // two rates of tax, of which one is 0
		block([]pair{{goods, p.amount(sum)}, {vat + " 0 %", p.amount(0)}, {vat + " 20 %", p.amount(tax)}, {grand, p.amount(sum + tax)}}, true)
	case 5: // two rates of tax, both with what they are of
		small := sum / 4
		tax = small*7/100 + (sum-small)/5
		block([]pair{{goods, p.amount(sum)}, {"7 % " + vat + " / " + p.amount(small), p.amount(small * 7 / 100)}, {"20 % " + vat + " / " + p.amount(sum-small), p.amount((sum - small) / 5)}, {grand, p.amount(sum + tax)}}, true)
	case 6: // a deposit was paid
		block([]pair{{goods, p.amount(sum)}, {vat + " 20%", p.amount(tax)}, {grand, p.amount(sum + tax)}, {prepaid[p.code], "-" + p.amount(10_000)}}, true)
	case 7: // all in one line
		p.put(p.x, y, 9, goods+": "+p.amount(sum)+"   "+vat+" 20 %: "+p.amount(tax)+"   "+grand+": "+p.currency+" "+p.amount(sum+tax))
	case 8: // with an insurance
		insurance := 1250
		tax = (sum + insurance) / 5
		block([]pair{{goods, p.amount(sum)}, {words.insurance, p.amount(insurance)}, {vat + " 20 %", p.amount(tax)}, {grand, p.amount(sum + insurance + tax)}}, true)
		p.want["totals.insurance"] = decimal(insurance)
		sum += insurance
	default:
		block([]pair{{goods + " " + p.currency, p.amount(sum)}, {"+ 20 % " + vat, p.amount(tax)}}, false)
		p.put(330, y-4, 10, grand+": "+p.currency+" "+p.amount(sum+tax))
	}
	p.want["totals.vat"], p.want["totals.grand"] = decimal(tax), decimal(sum+tax)
}
