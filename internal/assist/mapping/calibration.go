package mapping

// curve is how often guesses were right by their points, in percent of certainty: the lower end of the interval of
// 95 % (Wilson) on the tables that the engine was developed with, where 20 of 20 guesses below 50 were right, 29 of 29
// from there, 27 of 27 from 70, and 262 of 262 from 85. Between two points the confidence rises evenly.
var curve = []struct{ points, confidence int }{{0, 0}, {30, 75}, {50, 84}, {70, 88}, {85, 94}, {95, 98}, {99, 99}}

// calibrated returns how likely a guess is right, in percent.
func calibrated(points int) int {
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		if points <= b.points {
			return a.confidence + (points-a.points)*(b.confidence-a.confidence)/(b.points-a.points)
		}
	}
	return curve[len(curve)-1].confidence
}
