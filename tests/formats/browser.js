/*
 * browser.js - opens a page in headless Chromium, and prints its content, its messages, and whether
 * any code in it runs. browser.sh has functions for the common questions.
 *
 *     node browser.js PAGE STEP...
 *
 * PAGE is a file or an address. The steps are carried out in their order: those that set the
 * display before the page is loaded, the others after that:
 *
 *     --size=WIDTHxHEIGHT     of the window (1280x800)
 *     --scheme=dark|light     the colours that the reader prefers (light)
 *     --media=print           the page as it is printed
 *     --click=SELECTOR        --hover=SELECTOR     by the mouse, in the middle of the first
 *     --key=NAME              Tab, Enter, Escape, ArrowDown ...: pressed and released
 *     --evaluate=EXPRESSION   its value on stdout, texts as they are, others as JSON
 *     --dom                   the document on stdout, in its present state
 *     --messages              on stdout, a line each: see `messages`
 *     --load-ms               on stdout, from the request to the end of the load event
 *     --screenshot=FILE       a PNG of the window; --whole-page=FILE of all that can be scrolled to
 *     --pdf=FILE              the page as it is printed, on A4
 *
 * The environment variable CHROMIUM is the path of Chromium. It is controlled by its DevTools
 * protocol (https://chromedevtools.github.io/devtools-protocol/) through two pipes: messages are
 * JSON, each followed by a NUL.
 */
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const url = require('url');
const { spawn } = require('child_process');

const OWN = 'browser.js'; // as a script in the page
const LONGEST_MS = 120000; // for a page with all its steps, on a busy machine
const LONGEST_END_MS = 10000; // for the end of Chromium

function startChromium(profile) {
    const flags = [
        '--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
        '--no-sandbox', // root cannot use the sandbox
        '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
        '--disable-extensions', '--disable-default-apps', '--force-device-scale-factor=1',
        '--font-render-hinting=none', 'about:blank'];
    return spawn(process.env.CHROMIUM || 'chromium', flags,
                 { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
}

/* Commands are answered by number; everything else is an event. */
class Connection {
    constructor(browser) {
        this.out = browser.stdio[3];
        this.out.on('error', () => {}); // Chromium has ended, which is reported elsewhere
        this.waiting = new Map();
        this.listeners = [];
        this.last = 0;
        let text = [];
        browser.stdio[4].on('data', (bytes) => {
            for (let end; (end = bytes.indexOf(0)) >= 0; bytes = bytes.subarray(end + 1)) {
                text.push(bytes.subarray(0, end));
                this.take(JSON.parse(Buffer.concat(text).toString()));
                text = [];
            }
            text.push(bytes);
        });
    }
    take(message) {
        if (message.id === undefined) {
            this.listeners.forEach((listener) => listener(message.method, message.params));
            return;
        }
        const { resolve, reject } = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error)
            reject(new Error(message.error.message));
        else
            resolve(message.result);
    }
    send(method, params = {}) {
        const id = ++this.last;
        const sessionId = method.startsWith('Browser.') ? undefined : this.session;
        this.out.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }
    once(method) {
        return new Promise((resolve) => this.listeners.push((name, params) => {
            if (name === method)
                resolve(params);
        }));
    }
}

/*
 * The messages of a page; a page of text and style only has none:
 *     script: WHERE           a script was compiled, or a handler in an attribute
 *     log: TEXT               Chromium's own: above all what a Content-Security-Policy forbade
 *     console: TEXT           output of a script
 *     error: TEXT             an exception of a script
 *     dialog: TEXT            alert() and its like
 *     request: URL            a request for a resource other than the page itself
 */
function collectMessages(page, address) {
    const messages = [];
    const add = (kind, text) => messages.push(`${kind}: ${String(text).replace(/\s+/g, ' ')}`);
    page.listeners.push((method, params) => {
        if (method === 'Debugger.scriptParsed' && params.url !== OWN)
            add('script', `${params.url}:${params.startLine + 1}`);
        else if (method === 'Log.entryAdded')
            add('log', params.entry.text);
        else if (method === 'Runtime.consoleAPICalled')
            add('console', params.args.map((one) => one.value ?? one.description).join(' '));
        else if (method === 'Runtime.exceptionThrown')
            add('error', params.exceptionDetails.exception?.description ??
                             params.exceptionDetails.text);
        else if (method === 'Page.javascriptDialogOpening')
            add('dialog', params.message);
        else if (method === 'Network.requestWillBeSent' &&
                 params.request.url !== address.replace(/#.*/, ''))
            add('request', params.request.url.slice(0, 200));
    });
    return messages;
}

async function evaluate(page, expression) {
    const answer = await page.send('Runtime.evaluate',
                                   { expression: `${expression}\n//# sourceURL=${OWN}`,
                                     returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails)
        throw new Error(answer.exceptionDetails.exception?.description ??
                        answer.exceptionDetails.text);
    return answer.result.value;
}

async function middleOf(page, selector) {
    return evaluate(page, `(() => {
        const one = document.querySelector(${JSON.stringify(selector)});
        if (!one)
            throw new Error('nothing is ' + ${JSON.stringify(selector)});
        one.scrollIntoView({ block: 'center', behavior: 'instant' });
        const box = one.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
}

async function mouse(page, selector, types) {
    const at = await middleOf(page, selector);
    for (const type of types)
        await page.send('Input.dispatchMouseEvent',
                        { type, ...at, button: type === 'mouseMoved' ? 'none' : 'left',
                          clickCount: type === 'mouseMoved' ? 0 : 1 });
}

const KEY_CODES = { Tab: 9, Enter: 13, Escape: 27, Space: 32, End: 35, Home: 36, ArrowLeft: 37,
                    ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

async function press(page, key) {
    const code = { key: key === 'Space' ? ' ' : key, code: key,
                   windowsVirtualKeyCode: KEY_CODES[key] };
    const text = { Enter: '\r', Space: ' ' }[key];
    await page.send('Input.dispatchKeyEvent',
                    { type: text ? 'keyDown' : 'rawKeyDown', ...code, text });
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
}

async function screenshot(page, file, captureBeyondViewport) {
    const options = { format: 'png', captureBeyondViewport };
    if (captureBeyondViewport) {
        const { cssContentSize } = await page.send('Page.getLayoutMetrics');
        options.clip = { ...cssContentSize, scale: 1 };
    }
    const { data } = await page.send('Page.captureScreenshot', options);
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
}

async function printPdf(page, file) {
    const { data } = await page.send('Page.printToPDF',
                                     { paperWidth: 8.27, paperHeight: 11.69, // A4, in inches
                                       printBackground: false });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
}

const LOAD_MS = `(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return Math.round(entry.loadEventEnd);
})()`;

const steps = {
    click: (page, selector) => mouse(page, selector,
                                     ['mouseMoved', 'mousePressed', 'mouseReleased']),
    hover: (page, selector) => mouse(page, selector, ['mouseMoved']),
    key: press,
    evaluate: async (page, expression) => {
        const value = await evaluate(page, expression);
        console.log(typeof value === 'string' ? value : JSON.stringify(value));
    },
    dom: async (page) => console.log(await evaluate(page, 'document.documentElement.outerHTML')),
    messages: async (page) => page.messages.forEach((line) => console.log(line)),
    'load-ms': async (page) => console.log(await evaluate(page, LOAD_MS)),
    screenshot: (page, file) => screenshot(page, file, false),
    'whole-page': (page, file) => screenshot(page, file, true),
    pdf: printPdf,
};

async function openPage(connection) {
    const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await connection.send('Target.attachToTarget',
                                                { targetId, flatten: true });
    connection.session = sessionId;
    return connection;
}

async function load(page, look, address) {
    const [width, height] = look.size.split('x').map(Number);
    await page.send('Emulation.setDeviceMetricsOverride',
                    { width, height, deviceScaleFactor: 1, mobile: false });
    await page.send('Emulation.setEmulatedMedia',
                    { media: look.media,
                      features: [{ name: 'prefers-color-scheme', value: look.scheme }] });
    for (const domain of ['Page', 'Runtime', 'Debugger', 'Log', 'Network'])
        await page.send(`${domain}.enable`);
    page.messages = collectMessages(page, address);
    page.listeners.push((method) => {
        if (method === 'Page.javascriptDialogOpening') // the page waits for it
            page.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
    });
    const loaded = page.once('Page.loadEventFired');
    const { errorText } = await page.send('Page.navigate', { url: address });
    if (errorText)
        throw new Error(`${address}: ${errorText}`);
    await loaded;
    // what the load event has set off has happened when a frame has been painted behind it
    await evaluate(page, 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}

function readArguments(argv) {
    const look = { size: '1280x800', scheme: 'light', media: '' };
    const wanted = [];
    for (const argument of argv.slice(1)) {
        const [, name, value] = /^--([a-z-]+)(?:=([^]*))?$/.exec(argument) ?? [];
        if (name in look)
            look[name] = value;
        else if (Object.hasOwn(steps, name ?? ''))
            wanted.push([name, value]);
        else
            throw new Error(`no such step: ${argument}`);
    }
    const address = /^[a-z]+:/.test(argv[0]) ? argv[0]
                                             : url.pathToFileURL(path.resolve(argv[0])).href;
    return { address, look, wanted };
}

/* Chromium writes into its folder until its last process has ended: it is asked, then made to. */
async function stop(browser, connection, gone) {
    connection.send('Browser.close').catch(() => {});
    const patience = setTimeout(() => browser.kill('SIGKILL'), LONGEST_END_MS);
    await gone;
    clearTimeout(patience);
}

async function visit(connection, { address, look, wanted }) {
    const page = await openPage(connection);
    await load(page, look, address);
    for (const [name, value] of wanted)
        await steps[name](page, value);
}

async function main(argv) {
    const visited = readArguments(argv);
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-'));
    const browser = startChromium(profile);
    const connection = new Connection(browser);
    const gone = new Promise((resolve) => {
        browser.on('error', (error) => resolve(error.message)); // it could not be started
        browser.on('exit', (status, signal) => resolve(`Chromium ended with ${status ?? signal}`));
    });
    const failed = new Promise((_, reject) => {
        setTimeout(reject, LONGEST_MS, new Error(`not done after ${LONGEST_MS} ms`)).unref();
        gone.then((why) => reject(new Error(why)));
    });
    failed.catch(() => {});
    try {
        await Promise.race([failed, visit(connection, visited)]);
    } finally {
        await stop(browser, connection, gone);
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    }
}

main(process.argv.slice(2)).catch((error) => {
    console.error(`browser.js: ${error.message}`);
    process.exitCode = 1;
});
