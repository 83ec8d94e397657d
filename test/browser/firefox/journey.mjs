// A journey in Firefox, over WebDriver BiDi: sign in, type a plain import on one page, submit it, and see that it is cleared.
// Arguments: the folder of puppeteer-core, the path of Firefox, the address of the console, e-mail and password, and the path of a
// picture for a journey that fails.
import { createRequire } from "node:module";

const [folder, executablePath, base, email, password, picture] = process.argv.slice(2);
const puppeteer = createRequire(folder + "/package.json")("puppeteer-core");
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: 60_000 });
const page = await browser.newPage();
await page.setViewport({ width: 1366, height: 768 });
page.setDefaultTimeout(30_000);

// type fills a field by its id, which may have brackets.
const type = async (id, text) => {
	const field = await page.waitForSelector(`[id="${id}"]`);
	await field.click({ count: 3 });
	await field.type(text);
};
// follow acts and waits for the next page.
const follow = (act) => Promise.all([page.waitForNavigation(), act()]);
const sees = (text) => page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, text);
// press presses the first button or link that begins with a text.
const press = (text) => follow(async () => (await page.waitForSelector(`main ::-p-xpath(.//*[self::button or self::a][starts-with(normalize-space(.), "${text}")])`)).click());

try {
	await page.goto(base + "/sign-in");
	await type("email", email);
	await type("password", password);
	await press("Sign in");
	await page.goto(base + "/declarations/new?form=page");
	for (const [id, text] of Object.entries({
		"shipment.portOfEntry": "GBFXT", "shipment.counterpartyName": "Chittagong Knitwear Ltd", "shipment.counterpartyCountry": "BD",
		"items[0].description": "Men's knitted cotton T-shirts", "items[0].commodityCode": "6109100010", "items[0].countryOfOrigin": "BD",
		"items[0].netMassKg": "120.5", "items[0].itemPrice.amount": "1850", "documents[0].type": "N935", "documents[0].reference": "INV-1",
	})) await type(id, text);
	await sees("£222.00");
	await page.keyboard.down("Control");
	await follow(() => page.keyboard.press("Enter"));
	await page.keyboard.up("Control");
	await sees("£1,850.00");
	await press("Submit");
	await sees("Customs has released the goods"); // the page follows by itself
	console.log("cleared in " + (await browser.version()));
} catch (error) {
	await page.screenshot({ path: picture, fullPage: true });
	console.error(await page.evaluate(() => location.href + "\n" + document.body.innerText));
	throw error;
} finally {
	await browser.close();
}
