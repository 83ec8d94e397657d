package exportcontrol

// foreign lists the most common words for arms in other languages. The classifier does not understand these languages, so
// descriptions in them are never classified as free.
var foreign = []cue{
	{"ML1", strong, "винтовка, винтовки, пистолет, пистолеты, пулемет, пулемёт, ружье, ружьё, оружие, автомат калашникова, гвинтівка, зброя, 步枪, 步槍, 手枪, 手槍, 机枪, 機槍, 武器, 枪, ライフル, 拳銃, 銃, 소총, 권총, 무기, بندقية, بنادق, مسدس, سلاح, أسلحة, رشاش, تفنگ, fusil, fusil d'assaut, mitrailleuse, pistolet automatique, gewehr, maschinengewehr, sturmgewehr, pistole, ametralladora, fusil de asalto, fucile, mitragliatrice, karabin, broń palna, tüfek, silah", "", "mécanique"},
	{"ML2", strong, "гаубица, миномет, миномёт, 榴弹炮, 迫击炮, haubitze, granatwerfer, mortier de 81, obusier", "", ""},
	{"ML3", strong, "боеприпасы, патроны, снаряд, снаряды, 弹药, 彈藥, 子弹, 弾薬, 탄약, ذخيرة, ذخائر, munition, munitions, munición, municiones, munizioni, amunicja, mühimmat, obus", "", ""},
	{"ML4", strong, "ракета, ракеты, граната, гранаты, мина противопехотная, бомба, 导弹, 導彈, 飞弹, 手榴弹, 炸弹, 地雷, 鱼雷, ミサイル, 手榴弾, 미사일, 수류탄, صاروخ, صواريخ, قنبلة, قنابل, لغم, موشک, rakete, handgranate, misil, misiles, granada, missile guidé, pocisk, füze", "", ""},
	{"ML6", strong, "танк, бронетранспортер, бронетранспортёр, 坦克, 装甲车, kampfpanzer, schützenpanzer, char de combat, véhicule blindé, vehículo blindado, دبابة, مدرعة", "", ""},
	{"ML8", strong, "взрывчатка, взрывчатое вещество, взрывчатые вещества, тротил, 炸药, 爆薬, 폭약, متفجرات, sprengstoff, explosif, explosifs, explosivo, explosivos, esplosivo", "", ""},
	{"ML13", strong, "бронежилет, бронежилеты, 防弹衣, 防弹背心, 防弾チョッキ, gilet pare balles, gilets pare balles, schutzweste, chaleco antibalas, سترة واقية", "", ""},
	{"9A012", possible, "беспилотник, дрон, 无人机, 無人機, ドローン, 드론, طائرة بدون طيار, drohne", "", "spielzeug"},
	{"5A002", possible, "шифратор, 加密, 暗号化, 암호화, تشفير, chiffrement, verschlüsselung, cifrado", "", ""},
	{"0B001", strong, "обогащение урана, 铀浓缩, 离心机级联, anreicherung von uran, تخصيب اليورانيوم, غنیسازی اورانیوم", "", ""},
}
