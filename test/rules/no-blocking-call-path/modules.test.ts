import { describeWays, READ } from './ways.ts';

describeWays({
  'a function of another file': [
    {
      'lib.ts': READ,
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
    },
    ['app.ts:2: h → load (app.ts:2) → readFileSync (lib.ts:2)'],
  ],
  'through two files, renamed on the way, with the extension of what is built': [
    {
      'lib.ts': READ,
      'outer.ts': "import { load as read } from './lib.js';\nexport const outer = (p: string) => read(p);\n",
      'app.ts': "import { outer } from './outer.js';\nexport async function h() { return outer('x'); }\n",
    },
    ['app.ts:2: h → outer (app.ts:2) → read (outer.ts:2) → readFileSync (lib.ts:2)'],
  ],
  'barrels and namespaces': [
    {
      'lib/read.ts': READ,
      'lib/index.ts': "export * from './read';\nexport { load as fetch } from './read';\n",
      'app.ts': "import * as lib from './lib';\nexport async function h() { return lib.fetch('x'); }\n",
    },
    ['app.ts:2: h → fetch (app.ts:2) → readFileSync (read.ts:2)'],
  ],
  'default exports under any name': [
    {
      'git.ts':
        "import { execSync } from 'node:child_process';\nexport default function () { return execSync('git'); }\n",
      'app.ts': "import anything from './git';\nexport async function h() { return anything(); }\n",
    },
    ['app.ts:2: h → anything (app.ts:2) → execSync (git.ts:2)'],
  ],
  'an API that is exported again': [
    {
      'fs.ts': "export { readFileSync as read } from 'node:fs';\n",
      'app.ts': "import { read } from './fs';\nexport async function h() { return read('x'); }\n",
    },
    ['app.ts:2: h → read (app.ts:2) → readFileSync (fs.ts:1)'],
  ],
  'dynamic imports': [
    {
      'lib.ts': READ,
      'app.ts':
        "export async function h() { return (await import('./lib')).load('x'); }\nexport async function k() { const { load } = await import('./lib'); return load('x'); }\n",
    },
    [
      'app.ts:1: h → load (app.ts:1) → readFileSync (lib.ts:2)',
      'app.ts:2: k → load (app.ts:2) → readFileSync (lib.ts:2)',
    ],
  ],
  CommonJS: [
    {
      'lib.js':
        "const fs = require('fs');\nfunction load(p) { return fs.readFileSync(p); }\nmodule.exports = { load, read: load };\n",
      'whole.js':
        "const fs = require('fs');\nmodule.exports = function (p) { return fs.readFileSync(p); };\n",
      'app.js': `const { load } = require('./lib');
const lib = require('./lib');
const whole = require('./whole');
exports.a = async () => load('x');
exports.b = async () => lib.read('x');
exports.c = async () => whole('x');
`,
    },
    [
      'app.js:4: a → load (app.js:4) → readFileSync (lib.js:2)',
      'app.js:5: b → read (app.js:5) → readFileSync (lib.js:2)',
      'app.js:6: c → whole (app.js:6) → readFileSync (whole.js:2)',
    ],
  ],
  'what TypeScript makes of imports and of barrels': [
    {
      'lib.js':
        "const fs_1 = require('fs');\nfunction load(p) { return fs_1.readFileSync(p); }\nexports.load = load;\nexports.default = load;\n",
      'one.js': `Object.defineProperty(exports, "__esModule", { value: true });
var lib_1 = require("./lib");
Object.defineProperty(exports, "load", { enumerable: true, get: function () { return lib_1.load; } });
`,
      'all.js': `Object.defineProperty(exports, "__esModule", { value: true });
__exportStar(require("./other"), exports);
tslib_1.__exportStar(require("./one"), exports);
`,
      'other.js': 'exports.other = 1;\n',
      'app.js': `const one_1 = require("./one");
const all_1 = require("./all");
const { load: read } = require("./all");
const lib = __importStar(require("./lib"));
const lib_1 = tslib_1.__importDefault(require("./lib"));
exports.a = async () => (0, one_1.load)('x');
exports.b = async () => (0, all_1.load)('x');
exports.c = async () => read('x');
exports.d = async () => lib.load('x');
exports.e = async () => (0, lib_1.default)('x');
exports.f = async () => (0, all_1.other)('x');
`,
    },
    [
      'app.js:6: a → load (app.js:6) → readFileSync (lib.js:2)',
      'app.js:7: b → load (app.js:7) → readFileSync (lib.js:2)',
      'app.js:8: c → read (app.js:8) → readFileSync (lib.js:2)',
      'app.js:9: d → load (app.js:9) → readFileSync (lib.js:2)',
      'app.js:10: e → default (app.js:10) → readFileSync (lib.js:2)',
    ],
  ],
  'what swc and Babel make of exports': [
    {
      'lib.js': `Object.defineProperty(exports, "__esModule", { value: true });
_export(exports, {
  load: function () { return load; },
  get read () { return read; }
});
const _fs = require("fs");
function load(p) { return _fs.readFileSync(p); }
function read(p) { return _fs.readFileSync(p); }
`,
      'swc.js':
        'Object.defineProperty(exports, "__esModule", { value: true });\n_export_star(require("./lib"), exports);\n',
      'babel.js': `Object.defineProperty(exports, "__esModule", { value: true });
var _lib = require("./lib");
Object.keys(_lib).forEach(function (key) {
  Object.defineProperty(exports, key, { enumerable: true, get: function () { return _lib[key]; } });
});
`,
      'app.js': `const _swc = require("./swc");
const _babel = require("./babel");
var _lib = _interop_require_wildcard(require("./lib"));
exports.a = async () => (0, _swc.load)('x');
exports.b = async () => (0, _babel.read)('x');
exports.c = async () => _lib.load('x');
exports.d = async () => _lib.other('x');
`,
    },
    [
      'app.js:4: a → load (app.js:4) → readFileSync (lib.js:7)',
      'app.js:5: b → read (app.js:5) → readFileSync (lib.js:8)',
      'app.js:6: c → load (app.js:6) → readFileSync (lib.js:7)',
    ],
  ],
  'packages of the workspace by their names, and path mappings': [
    {
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/core/package.json': '{ "name": "@own/core", "main": "dist/index.js" }',
      'packages/core/src/index.ts': READ,
      'packages/app/package.json': '{ "name": "@own/app" }',
      'packages/app/tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
      'packages/app/src/near.ts': READ,
      'packages/app/src/a.ts':
        "import { load } from '@own/core';\nexport async function h() { return load('x'); }\n",
      'packages/app/src/b.ts':
        "import { load } from '~/near';\nexport async function h() { return load('x'); }\n",
    },
    [
      'packages/app/src/a.ts:2: h → load (a.ts:2) → readFileSync (index.ts:2)',
      'packages/app/src/b.ts:2: h → load (b.ts:2) → readFileSync (near.ts:2)',
    ],
  ],
  'packages that export what is no module': [
    {
      'packages/core/package.json':
        '{ "name": "@own/core", "exports": { ".": "./index.ts", "./package.json": "./package.json" } }',
      'packages/core/index.ts': READ,
      'packages/app/package.json': '{ "name": "@own/app" }',
      'packages/app/a.ts':
        "import { load } from '@own/core';\nimport core from '@own/core/package.json';\nexport async function h() { return load(core.name); }\n",
    },
    ['packages/app/a.ts:3: h → load (a.ts:3) → readFileSync (index.ts:2)'],
  ],
  'names that are somebody else’s': [
    {
      'lib.ts': READ,
      'other.ts': 'export function load(p: string) { return p; }\n',
      'app.ts': "import { load } from './other';\nexport async function h() { return load('x'); }\n",
    },
    [],
  ],
});
