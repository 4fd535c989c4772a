// Forms of real code in pairs: what leaves a child, and what only looks like it. `//!` ends each line to be reported.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModule } from '../../../rules/read/module-view.ts';
import { findSpawns } from '../../../rules/read/spawns.ts';

interface Pair {
  leaves: string;
  /** Close to it, and silent. */
  stays: string;
  filename?: string;
}

const forms: Record<string, Record<string, Pair>> = {
  'callees that are handed in': {
    'a parameter of a factory with a default in an object': {
      leaves: `
import { spawn as nodeSpawn } from 'node:child_process';
export const makeLauncher = ({ spawn = nodeSpawn, log } = {}) => ({
  start: (cmd) => spawn(cmd, [], { detached: true }), //!
});`,
      stays: `
import { spawn as nodeSpawn } from 'node:child_process';
export const makeLauncher = ({ spawn = nodeSpawn, log } = {}) => ({
  start: (cmd) => spawn(cmd, [], { detached: false }),
});`,
    },
    'a function that is named spawnFn': {
      leaves: `
import { spawn } from 'child_process';
export function startDaemon(deps) {
  const spawnFn = deps.spawn || spawn;
  return spawnFn(process.execPath, [], { detached: true, stdio: 'ignore' }); //!
}`,
      stays: `
export function startDaemon(deps) {
  const spawnFn = deps.spawnEnemy || (() => {});
  return spawnFn('orc', { detached: true });
}`,
    },
    'a constructor that keeps its dependencies': {
      leaves: `
const cp = require('child_process');
class Runner {
  constructor(deps = { spawn: cp.spawn }) {
    this.deps = deps;
  }
  start() {
    return this.deps.spawn('a', [], { detached: true }); //!
  }
}`,
      stays: `
class Runner {
  constructor(deps = { spawn: createSprite }) {
    this.deps = deps;
  }
  start() {
    return this.deps.spawn('a', { detached: true });
  }
}`,
    },
    'a parameter property': {
      leaves: `
import { spawn } from 'node:child_process';
export class Runner {
  constructor(private readonly start: typeof spawn = spawn) {}
  go() {
    this.start('a', [], { detached: true }); //!
  }
}`,
      stays: `
export class Runner {
  constructor(private readonly start: (panel: object) => void) {}
  go() {
    this.start({ detached: true });
  }
}`,
    },
    'a private field': {
      leaves: `
import cp from 'node:child_process';
class Runner {
  #spawn = cp.spawn;
  go() {
    this.#spawn('a', { detached: true }); //!
  }
}`,
      stays: `
class Runner {
  #spawn = (name, options) => new Entity(name, options);
  go() {
    this.#spawn('a', { detached: true });
  }
}`,
    },
    'a static method that is kept': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static spawn = spawn;
  static go() {
    Runner.spawn('a', { detached: true }); //!
  }
}`,
      stays: `
class Runner {
  static spawn(name, { detached }) {
    return { name, detached };
  }
  static go() {
    Runner.spawn('a', { detached: true });
  }
}`,
    },
    'a module object that tests replace': {
      leaves: `
import * as childProcess from 'node:child_process';
export const internals = { spawn: childProcess.spawn };
export const go = () => internals.spawn('a', { detached: true }); //!`,
      stays: `
import * as childProcess from 'node:child_process';
export const internals = { spawn: (name, options) => register(name, options) };
export const go = () => internals.spawn('a', { detached: true });`,
    },
    'a container of modules by name': {
      leaves: `
class Service {
  constructor($childProcess) {
    this.$childProcess = $childProcess;
  }
  run() {
    return this.$childProcess.spawn('emulator', ['-avd', 'x'], { stdio: 'ignore', detached: true }); //!
  }
}`,
      stays: `
class Service {
  run() {
    this.$log.trace('spawned emulator', { stdio: 'ignore', detached: true });
  }
}`,
    },
    'a choice of two': {
      leaves: `
import { spawn } from 'child_process';
import crossSpawn from 'cross-spawn';
const run = process.platform === 'win32' ? crossSpawn : spawn;
run('a', [], { detached: true }); //!`,
      stays: `
import { spawn } from 'child_process';
import crossSpawn from 'cross-spawn';
const run = process.platform === 'win32' ? crossSpawn : spawn;
run('a', [], { stdio: 'inherit' });`,
    },
    'a promisified function': {
      leaves: `
import { promisify } from 'node:util';
import { fork } from 'node:child_process';
const start = promisify(fork);
start('./a.js', [], { detached: true }); //!`,
      stays: `
import { promisify } from 'node:util';
import { sign } from './openpgp.js';
const signed = promisify(sign);
signed('text', [], { detached: true });`,
    },
    'Reflect.apply with a list': {
      leaves: `
const { spawn } = require('child_process');
const args = ['a', [], { detached: true }];
Reflect.apply(spawn, undefined, args); //!`,
      stays: `
const { spawn } = require('child_process');
const args = ['a', [], { detached: false }];
Reflect.apply(spawn, undefined, args);`,
    },
    'apply with a list': {
      leaves: `
const cp = require('child_process');
const args = ['a', [], { detached: true }];
cp.spawn.apply(cp, args); //!`,
      stays: `
const cp = require('child_process');
const args = ['a', [], {}];
cp.spawn.apply(cp, args);`,
    },
    'spread arguments from a constant': {
      leaves: `
const { spawn } = require('child_process');
const command = ['a', ['b'], { detached: true }];
spawn(...command); //!`,
      stays: `
const { spawn } = require('child_process');
const command = ['a', ['b'], { detached: false }];
spawn(...command);`,
    },
    'a bound function with options': {
      leaves: `
import { fork } from 'node:child_process';
const start = fork.bind(null, './worker.js', [], { detached: true });
start(); //!`,
      stays: `
import { fork } from 'node:child_process';
const start = fork.bind(null, './worker.js', []);
start();`,
    },
    'optional calls': {
      leaves: `
import * as cp from 'node:child_process';
cp?.spawn?.('a', [], { detached: true })?.unref(); //!`,
      stays: `
import * as cp from 'node:child_process';
cp?.spawn?.('a', [], { detached: void 0 })?.unref();`,
    },
    'a lazy getter': {
      leaves: `
const lazy = {
  get cp() {
    return require('child_process');
  },
};
lazy.cp.spawn('a', { detached: true }); //!`,
      stays: `
const lazy = {
  get cp() {
    return require('./control-panel');
  },
};
lazy.cp.spawn('a', { detached: true });`,
    },
    'an async import that is kept': {
      leaves: `
let cp;
export async function go() {
  cp ??= await import('node:child_process');
  cp.spawn('a', { detached: true }); //!
}`,
      stays: `
let cp;
export async function go() {
  cp ??= await import('./sprites.js');
  cp.spawn('a', { detached: true });
}`,
    },
    'a require that is guarded': {
      leaves: `
let cp;
try {
  cp = require('child_process');
} catch {
  cp = null;
}
if (cp) cp.spawn('a', { detached: true }); //!`,
      stays: `
let cp;
try {
  cp = require('./physics');
} catch {
  cp = null;
}
if (cp) cp.spawn('a', { detached: true });`,
    },
  },

  'compiled code': {
    'tsc, a namespace': {
      leaves: `
"use strict";
var __importStar = (this && this.__importStar) || function (mod) { return mod; };
Object.defineProperty(exports, "__esModule", { value: true });
const cp = __importStar(require("child_process"));
const child = cp.spawn("a", [], { detached: true }); //!
child.unref();`,
      stays: `
"use strict";
var __importStar = (this && this.__importStar) || function (mod) { return mod; };
const cp = __importStar(require("./sprites"));
const child = cp.spawn("a", { detached: true });`,
      filename: 'a.cjs',
    },
    'tsc, a named import and a spread for old engines': {
      leaves: `
"use strict";
var __assign = (this && this.__assign) || Object.assign;
var child_process_1 = require("child_process");
function start(options) {
    var child = (0, child_process_1.spawn)("a", [], __assign(__assign({}, options), { detached: true })); //!
    child.unref();
}
exports.start = start;`,
      stays: `
"use strict";
var __assign = (this && this.__assign) || Object.assign;
var child_process_1 = require("child_process");
function start(options) {
    return (0, child_process_1.spawn)("a", [], __assign(__assign({}, options), { detached: false }));
}
exports.start = start;`,
      filename: 'a.cjs',
    },
    'tsc, async functions for old engines': {
      leaves: `
"use strict";
var child_process_1 = require("child_process");
function start() {
    return __awaiter(this, void 0, void 0, function () {
        var options, child;
        return __generator(this, function (_a) {
            options = { detached: true, stdio: "ignore" };
            child = child_process_1.spawn("a", [], options); //!
            return [2 /*return*/, child];
        });
    });
}`,
      stays: `
"use strict";
var child_process_1 = require("child_process");
function start() {
    return __awaiter(this, void 0, void 0, function () {
        var options, child;
        return __generator(this, function (_a) {
            options = { stdio: "ignore" };
            child = child_process_1.spawn("a", [], options);
            return [2 /*return*/, child];
        });
    });
}`,
      filename: 'a.cjs',
    },
    'Babel, lazily required wildcard': {
      leaves: `
"use strict";
function cp() {
  const data = _interopRequireWildcard(require("child_process"));
  cp = function () {
    return data;
  };
  return data;
}
const child = cp().spawn("a", [], { detached: true }); //!`,
      stays: `
"use strict";
function cp() {
  const data = _interopRequireWildcard(require("./sprites"));
  cp = function () {
    return data;
  };
  return data;
}
const child = cp().spawn("a", { detached: true });`,
      filename: 'a.cjs',
    },
    'Babel, object spread': {
      leaves: `
"use strict";
var _child_process = require("child_process");
(0, _child_process.spawn)("a", [], _objectSpread(_objectSpread({}, options), {}, { detached: true })); //!`,
      stays: `
"use strict";
var _child_process = require("child_process");
(0, _child_process.spawn)("a", [], _objectSpread(_objectSpread({}, options), {}, { stdio: "pipe" }));`,
      filename: 'a.cjs',
    },
    'esbuild, bundled to CommonJS': {
      leaves: `
var import_node_child_process = require("node:child_process");
var start = /* @__PURE__ */ __name((file) => (0, import_node_child_process.spawn)(file, [], __spreadProps(__spreadValues({}, base), { detached: true })), "start"); //!`,
      stays: `
var import_node_child_process = require("node:child_process");
var start = /* @__PURE__ */ __name((file) => (0, import_node_child_process.spawn)(file, [], __spreadProps(__spreadValues({}, base), { cwd: "/" })), "start");`,
      filename: 'a.cjs',
    },
    'esbuild, bundled to ESM': {
      leaves: `
import { createRequire as __createRequire } from "module";
const require2 = __createRequire(import.meta.url);
var __require = /* @__PURE__ */ ((x) => typeof require2 !== "undefined" ? require2 : x)();
var cp = __toESM(__require("child_process"), 1);
cp.spawn("a", [], { detached: true }).unref(); //!`,
      stays: `
var __require = (x) => x;
var cp = __toESM(__require("sprites"), 1);
cp.spawn("a", { detached: true });`,
      filename: 'a.mjs',
    },
    'esbuild, a module in a closure': {
      leaves: `
var require_start = __commonJS({
  "src/start.js"(exports, module) {
    "use strict";
    var { spawn: spawn2 } = require("child_process");
    module.exports = () => spawn2("a", [], { detached: !0 }); //!
  }
});`,
      stays: `
var require_start = __commonJS({
  "src/start.js"(exports, module) {
    "use strict";
    var { spawn: spawn2 } = require("child_process");
    module.exports = () => spawn2("a", [], { detached: !1 });
  }
});`,
      filename: 'a.cjs',
    },
    swc: {
      leaves: `
"use strict";
const _nodechild_process = require("node:child_process");
const child = (0, _nodechild_process.spawn)("a", [], _object_spread_props(_object_spread({}, base), { detached: true })); //!`,
      stays: `
"use strict";
const _nodechild_process = require("node:child_process");
const child = (0, _nodechild_process.spawn)("a", [], _object_spread_props(_object_spread({}, base), { cwd: "/" }));`,
      filename: 'a.cjs',
    },
    'swc, a default import': {
      leaves: `
"use strict";
const _child_process = /*#__PURE__*/ _interop_require_default(require("child_process"));
_child_process.default.fork("./a.js", { detached: true }); //!`,
      stays: `
"use strict";
const _road = /*#__PURE__*/ _interop_require_default(require("./road"));
_road.default.fork("./a.js", { detached: true });`,
      filename: 'a.cjs',
    },
    'Rollup, a namesake renamed': {
      leaves: `
import { spawn as spawn$1 } from 'node:child_process';
function spawn(command, options) {
  return spawn$1(command, { stdio: 'ignore', detached: true, ...options }); //!
}
export { spawn };`,
      stays: `
import { spawn as spawn$1 } from 'node:child_process';
function spawn(command, options) {
  return spawn$1(command, { stdio: 'ignore', ...options });
}
export { spawn };`,
      filename: 'a.mjs',
    },
    'Rollup, interop of a namespace': {
      leaves: `
'use strict';
var cp = require('child_process');
function _interopNamespaceDefault(e) { return e; }
var cp__namespace = /*#__PURE__*/_interopNamespaceDefault(cp);
cp__namespace.spawn('a', { detached: true }); //!`,
      stays: `
'use strict';
var cp = require('./sprites');
var cp__namespace = /*#__PURE__*/_interopNamespaceDefault(cp);
cp__namespace.spawn('a', { detached: true });`,
      filename: 'a.cjs',
    },
    'webpack, an external': {
      leaves: `
import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
const external_child_process_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("child_process");
(0,external_child_process_namespaceObject.spawn)("a", [], { detached: true }); //!`,
      stays: `
const external_sprites_namespaceObject = require("./sprites");
(0,external_sprites_namespaceObject.spawn)("a", { detached: true });`,
      filename: 'a.mjs',
    },
    'webpack, modules by number': {
      leaves: `
var __webpack_modules__ = {
  317: (module) => { "use strict"; module.exports = require("child_process"); },
  42: (module, exports, __webpack_require__) => {
    const external_child_process_ = __webpack_require__(317);
    external_child_process_.spawn("a", ["b"], { detached: true, stdio: "ignore" }); //!
  },
};`,
      stays: `
var __webpack_modules__ = {
  317: (module) => { "use strict"; module.exports = require("child_process"); },
  42: (module, exports, __webpack_require__) => {
    const external_sprites_ = __webpack_require__(318);
    external_sprites_.spawn("goblin", { detached: true });
  },
};`,
      filename: 'a.cjs',
    },
    'a minified bundle': {
      leaves: `
var e=require("child_process"),t={detached:!0,stdio:"ignore"};function n(n){var r=e.spawn(n,[],t);r.unref()}module.exports=n; //!`,
      stays: `
var e=require("child_process"),t={detached:!1,stdio:"ignore"};function n(n){var r=e.spawn(n,[],t);r.unref()}module.exports=n;`,
      filename: 'a.cjs',
    },
    CoffeeScript: {
      leaves: `
(function() {
  var ref = require('child_process'), exec = ref.exec, spawn = ref.spawn;
  module.exports = function(command) {
    var child;
    child = spawn(command, [], { detached: true }); //!
    return child.unref();
  };
}).call(this);`,
      stays: `
(function() {
  var ref = require('child_process'), exec = ref.exec, spawn = ref.spawn;
  module.exports = function(command) {
    return spawn(command, [], { detached: false });
  };
}).call(this);`,
      filename: 'a.cjs',
    },
  },

  options: {
    'a class field that a subclass reads': {
      leaves: `
import { spawn } from 'node:child_process';
class Base {
  options = { detached: true };
}
class Runner extends Base {
  go() {
    spawn('a', [], this.options); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Base {
  options = { detached: false };
}
class Runner extends Base {
  go() {
    spawn('a', [], this.options);
  }
}`,
    },
    'a static constant': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static OPTIONS = Object.freeze({ detached: true, stdio: 'ignore' });
  go() {
    spawn('a', [], { ...Runner.OPTIONS, cwd: '/' }); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Runner {
  static OPTIONS = Object.freeze({ detached: true, stdio: 'ignore' });
  go() {
    spawn('a', [], { ...Runner.OPTIONS, detached: false });
  }
}`,
    },
    'a static constant by its class in a static block': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static options;
  static {
    this.options = { detached: true };
  }
  go() {
    spawn('a', [], Runner.options); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Runner {
  static options;
  static {
    this.options = { windowsHide: true };
  }
  go() {
    spawn('a', [], Runner.options);
  }
}`,
    },
    'a setter-like method of a builder': {
      leaves: `
import { spawn } from 'node:child_process';
class Command {
  options = {};
  detach() {
    this.options.detached = true;
    return this;
  }
  run() {
    return spawn('a', this.options); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Command {
  options = {};
  state = {};
  detach() {
    this.state.detached = true;
    return this;
  }
  run() {
    return spawn('a', this.options);
  }
}`,
    },
    'a function with one return, and another in between': {
      leaves: `
import { spawn } from 'node:child_process';
const base = () => ({ stdio: 'ignore' });
function daemonOptions(cwd) {
  const options = base();
  return Object.assign(options, { cwd, detached: true });
}
spawn('a', [], daemonOptions('/')); //!`,
      stays: `
import { spawn } from 'node:child_process';
const base = () => ({ stdio: 'ignore' });
function daemonOptions(cwd) {
  const options = base();
  return Object.assign(options, { cwd, detached: false });
}
spawn('a', [], daemonOptions('/'));`,
    },
    'a function with a parameter that decides': {
      leaves: `
import { spawn } from 'node:child_process';
const optionsFor = (background) => ({ stdio: 'ignore', detached: background });
spawn('a', [], optionsFor(true)); //!`,
      stays: `
import { spawn } from 'node:child_process';
const optionsFor = (background) => ({ stdio: 'ignore', detached: background });
spawn('a', [], optionsFor(false));`,
    },
    '_.defaults of what the caller gives': {
      leaves: `
import _ from 'lodash';
import { spawn } from 'node:child_process';
export function start(options) {
  options = _.defaults(options, { detached: true, stdio: 'ignore' });
  return spawn('a', [], options); //!
}`,
      stays: `
import _ from 'lodash';
import { spawn } from 'node:child_process';
export function start(options) {
  options = _.defaults(options, { detached: false, stdio: 'ignore' });
  return spawn('a', [], options);
}`,
    },
    '_.defaults that comes second': {
      leaves: `
import { defaults } from 'lodash';
import { spawn } from 'node:child_process';
spawn('a', [], defaults({ detached: true }, { detached: false })); //!`,
      stays: `
import { defaults } from 'lodash';
import { spawn } from 'node:child_process';
spawn('a', [], defaults({ detached: false }, { detached: true }));`,
    },
    '_.merge of nested options': {
      leaves: `
const _ = require('lodash');
const { spawn } = require('child_process');
const settings = _.merge({}, { spawn: { detached: true } }, user);
spawn('a', [], settings.spawn); //!`,
      stays: `
const _ = require('lodash');
const { spawn } = require('child_process');
const settings = _.merge({}, { spawn: { detached: true } }, { spawn: { detached: false } });
spawn('a', [], settings.spawn);`,
    },
    'Object.assign in order': {
      leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], Object.assign({}, { detached: false }, { detached: true })); //!`,
      stays: `
import { spawn } from 'node:child_process';
spawn('a', [], Object.assign({}, { detached: true }, { detached: false }));`,
    },
    'util.inherits and Object.assign onto a prototype': {
      leaves: `
const { spawn } = require('child_process');
function Monitor() {}
Object.assign(Monitor.prototype, {
  options() {
    return { detached: true };
  },
  start() {
    return spawn('a', [], this.options()); //!
  },
});`,
      stays: `
const { spawn } = require('child_process');
function Monitor() {}
Object.assign(Monitor.prototype, {
  options() {
    return {};
  },
  start() {
    return spawn('a', [], this.options());
  },
});`,
    },
    '??= on an option': {
      leaves: `
import { spawn } from 'node:child_process';
export function start(options = {}) {
  options.detached ??= true;
  return spawn('a', [], options); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function start(options = {}) {
  options.detached ??= false;
  return spawn('a', [], options);
}`,
    },
    '||= on the whole': {
      leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  options ||= { detached: true };
  return spawn('a', [], options); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  options ||= { cwd: '/' };
  return spawn('a', [], options);
}`,
    },
    'ES5 defaults': {
      leaves: `
var spawn = require('child_process').spawn;
exports.start = function (options) {
  options = options || {};
  if (options.detached === undefined) options.detached = true;
  return spawn('a', [], options); //!
};`,
      stays: `
var spawn = require('child_process').spawn;
exports.start = function (options) {
  options = options || {};
  if (options.detached === undefined) options.detached = false;
  return spawn('a', [], options);
};`,
      filename: 'a.cjs',
    },
    'in operator as a guard': {
      leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  if (!('detached' in options)) options.detached = true;
  return spawn('a', [], options); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  if ('detached' in options) delete options.detached;
  return spawn('a', [], options);
}`,
    },
    'a table of options by kind': {
      leaves: `
import { spawn } from 'node:child_process';
const OPTIONS = { server: { detached: true }, tool: { stdio: 'inherit' } };
spawn('a', [], OPTIONS.server); //!`,
      stays: `
import { spawn } from 'node:child_process';
const OPTIONS = { server: { detached: true }, tool: { stdio: 'inherit' } };
spawn('a', [], OPTIONS.tool);`,
    },
    'destructured from a table': {
      leaves: `
import { spawn } from 'node:child_process';
const { server, tool } = { server: { detached: true }, tool: {} };
spawn('a', [], server); //!`,
      stays: `
import { spawn } from 'node:child_process';
const { server, tool } = { server: { detached: true }, tool: {} };
spawn('a', [], tool);`,
    },
    'a conditional spread on some systems': {
      leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], { stdio: 'pipe', ...(process.platform === 'win32' ? {} : { detached: true }) }); //!`,
      stays: `
import { spawn } from 'node:child_process';
spawn('a', [], { stdio: 'pipe', ...(process.platform === 'win32' ? {} : { uid: 0 }) });`,
    },
    'a switch over systems': {
      leaves: `
import { spawn } from 'node:child_process';
const options = { stdio: 'ignore' };
switch (process.platform) {
  case 'darwin':
  case 'linux':
    options.detached = true;
    break;
}
spawn('a', [], options); //!`,
      stays: `
import { spawn } from 'node:child_process';
const options = { stdio: 'ignore' };
switch (process.platform) {
  case 'win32':
    options.windowsHide = true;
    break;
}
spawn('a', [], options);`,
    },
    'an option that is commented out': {
      leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], { //!
  // detached: false,
  detached: true,
});`,
      stays: `
import { spawn } from 'node:child_process';
spawn('a', [], {
  // detached: true,
  stdio: 'ignore',
});`,
    },
    'a copy of options': {
      leaves: `
import { spawn } from 'node:child_process';
const options = { detached: true };
const copy = structuredClone(options);
spawn('a', [], copy); //!`,
      stays: `
import { spawn } from 'node:child_process';
const options = { detached: true };
const { detached, ...copy } = structuredClone(options);
spawn('a', [], copy);`,
    },
    'a nested option of a library': {
      leaves: `
import { x } from 'tinyexec';
const options = { nodeOptions: { detached: true } };
await x('a', [], options); //!`,
      stays: `
import { x } from 'tinyexec';
const options = { nodeOptions: { cwd: '/', env: { detached: 'true' } } };
await x('a', [], options);`,
    },
  },

  wrappers: {
    'a promise around spawn': {
      leaves: `
import { spawn } from 'node:child_process';
const run = (cmd, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(cmd, args, options);
    child.on('exit', resolve);
    child.on('error', reject);
  });
await run('a', [], { detached: true }); //!
await run('b', [], { cwd: '/' });`,
      stays: `
import { spawn } from 'node:child_process';
const run = (cmd, args, { detached, ...options }) =>
  new Promise((resolve) => {
    spawn(cmd, args, options).on('exit', resolve);
  });
await run('a', [], { detached: true });`,
    },
    'one that decides for all': {
      leaves: `
import { spawn } from 'node:child_process';
export const launch = (cmd, options) => spawn(cmd, { ...options, detached: true }); //!
launch('a');
launch('b', { detached: false });`,
      stays: `
import { spawn } from 'node:child_process';
export const launch = (cmd, options) => spawn(cmd, { ...options, detached: false });
launch('a');
launch('b', { detached: true });`,
    },
    'a flag among the parameters': {
      leaves: `
import { spawn } from 'node:child_process';
function run(cmd, background) {
  return spawn(cmd, { detached: background });
}
run('a', true); //!
run('b', false);`,
      stays: `
import { spawn } from 'node:child_process';
function run(cmd, background) {
  return spawn(cmd, { detached: background });
}
run('a', false);
run('b');`,
    },
    'two steps': {
      leaves: `
import { spawn } from 'node:child_process';
const low = (cmd, options) => spawn(cmd, [], options);
const middle = (cmd, options = {}) => low(cmd, { stdio: 'ignore', ...options });
middle('a', { detached: true }); //!
middle('b');`,
      stays: `
import { spawn } from 'node:child_process';
const low = (cmd, options) => spawn(cmd, [], options);
const middle = (cmd, options = {}) => low(cmd, { ...options, detached: false });
middle('a', { detached: true });`,
    },
    'a method that hands its options on': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  run(cmd, options) {
    return spawn(cmd, [], { stdio: 'ignore', ...options });
  }
  serve() {
    return this.run('a', { detached: true }); //!
  }
  build() {
    return this.run('b', { cwd: '/' });
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Runner {
  run(cmd, options) {
    return spawn(cmd, [], { stdio: 'ignore', cwd: options.cwd });
  }
  serve() {
    return this.run('a', { detached: true });
  }
}`,
    },
    'a class that keeps its options': {
      leaves: `
import { spawn } from 'node:child_process';
class Child {
  constructor(cmd, options) {
    this.options = options;
    this.process = spawn(cmd, [], { detached: this.options.background });
  }
}
new Child('a', { background: true }); //!
new Child('b', { background: false });`,
      stays: `
import { spawn } from 'node:child_process';
class Child {
  constructor(cmd, options) {
    this.detached = options.detached;
    this.process = spawn(cmd, []);
  }
}
new Child('a', { detached: true });`,
    },
    'a curried one': {
      leaves: `
import { spawn } from 'node:child_process';
const withOptions = (options) => (cmd) => spawn(cmd, [], options);
const launch = withOptions({ detached: true }); //!
launch('a');`,
      stays: `
import { spawn } from 'node:child_process';
const withOptions = (options) => (cmd) => spawn(cmd, [], options);
const launch = withOptions({ cwd: '/' });
launch('a');`,
    },
    'exec of a line that is built in a helper': {
      leaves: `
import { exec } from 'node:child_process';
const inBackground = (line) => \`nohup \${line} > /dev/null 2>&1 &\`;
exec(inBackground('server')); //!`,
      stays: `
import { exec } from 'node:child_process';
const quietly = (line) => \`\${line} > /dev/null 2>&1\`;
exec(quietly('server'));`,
    },
    'a helper out of sight with options of a process': {
      leaves: `
import { spawnAsync } from './util/spawn.js';
await spawnAsync('adb', ['start-server'], { detached: true, stdio: 'ignore' }); //!`,
      stays: `
import { signMessage } from './util/sign.js';
await signMessage('text', ['key'], { detached: true });`,
    },
  },

  libraries: {
    '@expo/spawn-async': {
      leaves: `
import spawnAsync from '@expo/spawn-async';
await spawnAsync('a', [], { detached: true }); //!`,
      stays: `
import spawnAsync from '@expo/spawn-async';
await spawnAsync('a', [], { ignoreStdio: true });`,
    },
    'promisify-child-process': {
      leaves: `
const { spawn } = require('promisify-child-process');
spawn('a', [], { detached: true, encoding: 'utf8' }); //!`,
      stays: `
const { spawn } = require('promisify-child-process');
spawn('a', [], { encoding: 'utf8' });`,
    },
    'npm-execspawn': {
      leaves: `
const execspawn = require('npm-execspawn');
execspawn('a $PORT', { detached: true }); //!`,
      stays: `
const execspawn = require('npm-execspawn');
execspawn('a $PORT', { env: {} });`,
    },
    teen_process: {
      leaves: `
import { SubProcess } from 'teen_process';
this.proc = new SubProcess('a', [], { detached: true }); //!`,
      stays: `
import { SubProcess } from 'teen_process';
this.proc = new SubProcess('a', [], { cwd: '/' });`,
    },
    'execa, curried': {
      leaves: `
import { execa } from 'execa';
const background = execa({ detached: true, stdio: 'ignore' }); //!
await background('a', []);`,
      stays: `
import { execa } from 'execa';
const quiet = execa({ stdio: 'ignore' });
await quiet('a', []);`,
    },
    'execa, a tag with options': {
      leaves: `
import { execa } from 'execa';
await execa({ detached: true })\`npm run serve\`; //!`,
      stays: `
import { execa } from 'execa';
await execa({ preferLocal: true })\`npm run serve\`;`,
    },
    'zx, options first': {
      leaves: `
import { $ } from 'zx';
await $({ detached: true })\`serve\`; //!`,
      stays: `
import { $ } from 'zx';
await $({ quiet: true })\`serve\`;`,
    },
    'zx, for the whole script': {
      leaves: `
import { $ } from 'zx';
$.detached = true;
await $\`serve\`; //!
await $\`another\`;`,
      stays: `
import { $ } from 'zx';
$.verbose = true;
await $\`serve\`;`,
    },
    'zx, by its globals': {
      leaves: `
import 'zx/globals';
await $({ detached: true })\`serve\`; //!`,
      stays: `
import $ from 'jquery';
$({ detached: true });`,
      filename: 'a.mjs',
    },
    'Bun with a command in an object': {
      leaves: `
Bun.spawn({ cmd: ['sh', '-c', 'serve &'] }); //!`,
      stays: `
Bun.spawn({ cmd: ['sh', '-c', 'serve'] }).unref();`,
    },
    'Deno with a constant': {
      leaves: `
const options = { args: ['a'], detached: true };
const command = new Deno.Command('b', options); //!
command.spawn();`,
      stays: `
const options = { args: ['a'], detached: false };
const command = new Deno.Command('b', options);
command.spawn();`,
    },
  },

  commands: {
    screen: {
      leaves: `
import { spawn, exec } from 'node:child_process';
spawn('screen', ['-dmS', 'server', 'node', 'server.js']); //!
exec('screen -d -m node server.js'); //!`,
      stays: `
import { spawn, exec } from 'node:child_process';
spawn('screen', ['-r', 'server']);
exec('screen -ls');
exec('screen -D -m node server.js');`,
    },
    tmux: {
      leaves: `
import { spawn, exec } from 'node:child_process';
spawn('tmux', ['-L', 'app', 'new-session', '-d', '-s', name, cmd]); //!
exec(\`tmux new -d -s \${name} 'node server.js'\`); //!
exec(\`tmux new-session -Ads main\`); //!`,
      stays: `
import { spawn, exec } from 'node:child_process';
spawn('tmux', ['attach-session', '-d', '-t', name], { stdio: 'inherit' });
exec('tmux kill-session -t main');
spawn('tmux', ['new-session', '-s', name], { stdio: 'inherit' });`,
    },
    'Start-Process': {
      leaves: `
import { spawn, exec } from 'node:child_process';
spawn('powershell.exe', ['-NoProfile', '-Command', "Start-Process 'server.exe' -WindowStyle Hidden"]); //!
exec('powershell -Command "Start-Process notepad"'); //!
spawn('pwsh', ['-c', \`Start-Process -FilePath "\${file}" -Verb RunAs\`]); //!`,
      stays: `
import { spawn, exec } from 'node:child_process';
spawn('powershell.exe', ['-Command', 'Start-Process server.exe -Wait']);
exec('powershell -Command "Get-Process notepad"');
spawn('powershell', ['-Command', "& 'C:\\\\tool.exe' --quiet"]);`,
    },
    'start /b': {
      leaves: `
import { exec, spawn } from 'node:child_process';
exec('start /b node server.js'); //!
spawn('cmd', ['/c', 'start', '/b', 'node', 'server.js']); //!`,
      stays: `
import { exec, spawn } from 'node:child_process';
exec('npm start -- /b');
spawn('cmd', ['/c', 'start', '/b', '/wait', 'node', 'server.js']);`,
    },
    'a launcher in a variable by system': {
      leaves: `
import { spawn } from 'node:child_process';
const launcher = process.platform === 'linux' ? 'setsid' : 'env';
spawn(launcher, ['server']); //!`,
      stays: `
import { spawn } from 'node:child_process';
const launcher = process.platform === 'linux' ? 'nice' : 'env';
spawn(launcher, ['server']);`,
    },
    'a launcher in front of a list': {
      leaves: `
import { execFile } from 'node:child_process';
const command = ['nohup', 'node', 'server.js'];
execFile(command[0], command.slice(1)); //!`,
      stays: `
import { execFile } from 'node:child_process';
const command = ['nice', 'node', 'server.js'];
execFile(command[0], command.slice(1));`,
    },
    'code for node -e': {
      leaves: `
import { spawn, execFileSync } from 'node:child_process';
const code = \`
  const { spawn } = require('child_process');
  spawn(\${JSON.stringify(file)}, [], { detached: true, stdio: 'ignore' }).unref();
\`;
spawn(process.execPath, ['-e', code]); //!
execFileSync('node', ['--eval', "require('child_process').spawn('a',[],{detached:true})"]); //!`,
      stays: `
import { spawn, execFileSync } from 'node:child_process';
const code = \`
  const { sign } = require('openpgp');
  sign(\${JSON.stringify(file)}, { detached: true });
\`;
spawn(process.execPath, ['-e', code]);
execFileSync('node', ['--eval', "console.log({ detached: true })"]);`,
    },
    'code for node -e in a command line': {
      leaves: `
import { exec } from 'node:child_process';
exec(\`node -e "require('child_process').spawn('a', [], { detached: true }).unref()"\`); //!`,
      stays: `
import { exec } from 'node:child_process';
exec(\`node -e "console.log({ detached: true })"\`);`,
    },
    'ssh and containers': {
      leaves: `
import { execa } from 'execa';
await execa('ssh', [host, 'nohup ./server > log 2>&1 &']); //!
await execa('docker', ['exec', '-i', id, 'sh', '-lc', 'server & disown']); //!`,
      stays: `
import { execa } from 'execa';
await execa('ssh', [host, './server > log 2>&1']);
await execa('docker', ['run', '-d', image]);`,
    },
  },

  'requests of the module': {
    'the require of Electron': {
      leaves: `
const { spawn } = window.require('child_process');
spawn('a', [], { detached: true }); //!`,
      stays: `
const { spawn } = window.require('./sprites');
spawn('a', { detached: true });`,
    },
    'a require that bundlers leave alone': {
      leaves: `
const cp = __non_webpack_require__('child_process');
cp.spawn('a', { detached: true }); //!
process.mainModule.require('child_process').spawn('b', { detached: true }); //!
module.require('child_process').spawn('c', { detached: true }); //!`,
      stays: `
const cp = __non_webpack_require__('./sprites');
cp.spawn('a', { detached: true });`,
    },
    'the real module under a mock': {
      leaves: `
const { spawn } = jest.requireActual('child_process');
const cp = await vi.importActual('node:child_process');
spawn('a', { detached: true }); //!
cp.spawn('a', { detached: true }); //!`,
      stays: `
const { spawn } = jest.requireActual('../sprites');
spawn('a', { detached: true });`,
    },
    'several imports at once': {
      leaves: `
const [{ spawn }, fs] = await Promise.all([import('node:child_process'), import('node:fs')]);
spawn('a', [], { detached: true }); //!`,
      stays: `
const [fs, { spawn }] = await Promise.all([import('node:child_process'), import('./sprites.js')]);
spawn('a', { detached: true });`,
    },
    'an import with then': {
      leaves: `
import('child_process').then((cp) => cp.default.spawn('a', { detached: true })); //!`,
      stays: `
import('./sprites.js').then((cp) => cp.default.spawn('a', { detached: true }));`,
    },
    AMD: {
      leaves: `
define(['path', 'child_process'], function (path, cp) {
  cp.spawn('a', { detached: true }); //!
});`,
      stays: `
define(['child_process', 'sprites'], function (cp, sprites) {
  sprites.spawn('a', { detached: true });
});`,
      filename: 'a.js',
    },
  },

  values: {
    'what is true': {
      leaves: `
import { spawn } from 'node:child_process';
spawn('a', { detached: 1 }); //!
spawn('a', { detached: !false }); //!
spawn('a', { detached: Boolean(1) }); //!
spawn('a', { detached: true && true }); //!
spawn('a', { detached: 'yes' }); //!
spawn('a', { ['det' + 'ached']: true }); //!
spawn('a', Object.freeze({ detached: true })); //!`,
      stays: `
import { spawn } from 'node:child_process';
spawn('a', { detached: 0 });
spawn('a', { detached: !true });
spawn('a', { detached: Boolean('') });
spawn('a', { detached: true && false });
spawn('a', { detached: '' });
spawn('a', { ['attach' + 'ed']: true });
spawn('a', Object.freeze({ detached: null }));`,
    },
    'what is true on some systems': {
      leaves: `
import { spawn } from 'node:child_process';
import os from 'node:os';
spawn('a', { detached: os.type() !== 'Windows_NT' }); //!
spawn('a', { detached: !/^win/.test(process.platform) }); //!
spawn('a', { detached: ['darwin', 'linux'].includes(process.platform) }); //!
spawn('a', { detached: process.platform.indexOf('win') !== 0 }); //!
spawn('a', { detached: !isWin32() }); //!`,
      stays: `
import { spawn } from 'node:child_process';
spawn('a', { windowsHide: process.platform === 'win32' });
spawn('a', { shell: isWin32(), detached: false });`,
    },
    'a variable that is set on some systems': {
      leaves: `
import { spawn } from 'node:child_process';
let detached = false;
if (process.platform !== 'win32') {
  detached = true;
}
spawn('a', { detached }); //!`,
      stays: `
import { spawn } from 'node:child_process';
let detached = true;
detached = false;
spawn('a', { detached });`,
    },
    'what a caller gives under another name': {
      leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function capture(command, options) {
  return build(command, options);
}
capture('a', { background: true }); //!
export const run = (command) => build(command, { background: mode }); //!
export const either = (command, { background }) => build(command, { background: background || mode }); //!`,
      stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function capture(command, options) {
  return build(command, options);
}
export const named = (command, { background }) => build(command, { background });
export async function awaited(command, options) {
  return await build(command, { ...options, stdio: 'pipe' });
}
export const renamed = (command, options) => build(command, { background: options.quiet && options.later });
capture('a', { background: false });`,
    },
    'what a function sets of what it is given': {
      leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function exec(command, options) {
  if (options) options.background = process.platform === 'win32' ? false : options.background;
  const child = build(command, options); //!
  if (options?.background) child.unref();
}`,
      stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function exec(command, options) {
  if (options) options.stdio = 'ignore';
  const copy = {};
  copy.background = options.background;
  build(command, copy);
  return build(command, options);
}`,
    },
    'what a method is given under another name': {
      leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options.background || process.env.BACKGROUND });
}
export class Runner {
  capture(command, options) {
    return build(command, options); //!
  }
}`,
      stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options.background });
}
export class Runner {
  capture(command, options) {
    return build(command, options);
  }
}`,
    },
    'a field that is set by the system': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  isWindows = process.platform === 'win32';
  options() {
    return { cwd: '/', detached: !this.isWindows };
  }
  go() {
    spawn('a', this.options()); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Runner {
  detached = false;
  go() {
    spawn('a', { detached: this.detached });
  }
}`,
    },
    'a renamed option with a default': {
      leaves: `
import { spawn } from 'node:child_process';
export function start({ background: detached = true, ...rest } = {}) {
  return spawn('a', { ...rest, detached }); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function start({ background: detached = false, ...rest } = {}) {
  return spawn('a', { cwd: rest.cwd, detached: false });
}`,
    },
    'a parameter that is spread over': {
      leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  options = { ...options, detached: true };
  return spawn('a', options); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  options = { ...options, detached: false };
  return spawn('a', options);
}`,
    },
    'Object.assign onto this': {
      leaves: `
import { spawn } from 'node:child_process';
class Runner {
  constructor() {
    Object.assign(this, { options: { detached: true } });
  }
  go() {
    spawn('a', this.options); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
class Runner {
  constructor() {
    Object.assign(this, { options: { cwd: '/' } });
  }
  go() {
    spawn('a', this.options);
  }
}`,
    },
    'a table that is looped over': {
      leaves: `
import { spawn } from 'node:child_process';
const services = [
  { cmd: 'a', options: { detached: true } },
  { cmd: 'b', options: {} },
];
for (const { cmd, options } of services) spawn(cmd, options); //!`,
      stays: `
import { spawn } from 'node:child_process';
const services = [
  { cmd: 'a', options: { cwd: '/' } },
  { cmd: 'b', options: {} },
];
for (const { cmd, options } of services) spawn(cmd, options);`,
    },
    'a table that is mapped': {
      leaves: `
import { spawn } from 'node:child_process';
[{ cmd: 'a', options: { detached: true } }].map((each) => spawn(each.cmd, each.options)); //!`,
      stays: `
import { spawn } from 'node:child_process';
[{ cmd: 'a', options: { detached: false } }].map((each) => spawn(each.cmd, each.options));`,
    },
    'a constant of a TypeScript namespace': {
      leaves: `
import { spawn } from 'node:child_process';
const enum Mode { Daemon }
export abstract class Defaults {
  protected static readonly options = { detached: true } as const;
}
class Runner extends Defaults {
  go() {
    return spawn('a', Runner.options); //!
  }
}`,
      stays: `
import { spawn } from 'node:child_process';
export abstract class Defaults {
  protected static readonly options = { cwd: '/' } as const;
}
class Runner extends Defaults {
  go() {
    return spawn('a', Runner.options);
  }
}`,
    },
  },

  'arguments that are handed on': {
    'all of them': {
      leaves: `
import { spawn } from 'node:child_process';
function run(...args) {
  return new Promise((resolve) => spawn(...args).on('exit', resolve));
}
run('a', [], { detached: true }); //!
run('b', [], {});`,
      stays: `
import { spawn } from 'node:child_process';
function run(...args) {
  return new Promise((resolve) => spawn(...args).on('exit', resolve));
}
run('a', ['b'], { cwd: '/' });`,
    },
    'by the arguments object': {
      leaves: `
var cp = require('child_process');
function run() {
  return cp.spawn.apply(cp, arguments);
}
run('a', [], { detached: true }); //!`,
      stays: `
var cp = require('child_process');
function run() {
  return cp.spawn.apply(cp, arguments);
}
run('a', [], {});`,
      filename: 'a.cjs',
    },
    'the rest of them': {
      leaves: `
import { spawn } from 'node:child_process';
const node = (...rest) => spawn(process.execPath, ...rest);
node(['a.js'], { detached: true }); //!`,
      stays: `
import { spawn } from 'node:child_process';
const node = (...rest) => spawn(process.execPath, ...rest);
node(['a.js'], { detached: false });`,
    },
    'in an object': {
      leaves: `
import { spawn } from 'node:child_process';
const run = ({ cmd, args = [], options = {} }) => spawn(cmd, args, options);
run({ cmd: 'a', options: { detached: true } }); //!`,
      stays: `
import { spawn } from 'node:child_process';
const run = ({ cmd, args = [], options = {} }) => spawn(cmd, args, options);
run({ cmd: 'a', options: { cwd: '/' }, detached: true });`,
    },
    'a module of wrappers': {
      leaves: `
const cp = require('child_process');
module.exports = {
  run: (cmd, args, options) => cp.spawn(cmd, args, options),
  daemon(cmd, args) {
    return cp.spawn(cmd, args, { detached: true }); //!
  },
};`,
      stays: `
const cp = require('child_process');
module.exports = {
  run: (cmd, args, options) => cp.spawn(cmd, args, options),
  daemon: (cmd, args) => cp.spawn(cmd, args, { stdio: 'ignore' }),
};`,
      filename: 'a.cjs',
    },
  },

  texts: {
    'cmd.exe as the shell': {
      leaves: `
import { exec } from 'node:child_process';
exec('a & b', { shell: '/bin/bash' }); //!`,
      stays: `
import { exec } from 'node:child_process';
exec('a & b', { shell: 'cmd.exe' });
exec('a & b', { shell: 'powershell' });`,
    },
    quotes: {
      leaves: `
import { exec } from 'node:child_process';
exec("curl 'https://example.org/?a=1&b=2' > log &"); //!`,
      stays: `
import { exec } from 'node:child_process';
exec("curl 'https://example.org/?a=1&b=2'");
exec('echo "a & b"');
exec('grep -c "&" log');`,
    },
    'a program that is written to be run': {
      leaves: `
import { writeFileSync } from 'node:fs';
writeFileSync('start.cjs', "require('child_process').spawn('a', [], { detached: true }).unref();"); //!`,
      stays: `
import { writeFileSync } from 'node:fs';
writeFileSync('start.cjs', "require('child_process').spawn('a', [], { stdio: 'ignore' });");
writeFileSync('help.md', "Call \`spawn('a', [], { detached: true })\` of child_process.");`,
    },
    'a list that is pushed to': {
      leaves: `
import { spawn } from 'node:child_process';
const args = [];
args.push('-c', 'server &');
spawn('sh', ['-c', 'server > log &']); //!`,
      stays: `
import { spawn } from 'node:child_process';
const args = ['--name', 'server &'];
spawn('tool', args);`,
    },
  },

  'code that nobody had read before': {
    'options in front of a callback that is a parameter': {
      leaves: `
import * as child from './child.js';
export async function go(cmd, cwd, isInteractive, onProgress) {
  let detached = process.platform !== 'win32';
  if (isInteractive) {
    detached = false;
  }
  await child.spawn(cmd, [], { cwd, detached, shell: true }, onProgress); //!
}`,
      stays: `
import * as child from './child.js';
export const go = (cmd, cwd, onProgress) => child.spawn(cmd, [], { cwd, detached: false, shell: true }, onProgress);`,
    },
    'options of a process within the options of a wrapper': {
      leaves: `
import { startProcess } from './node.js';
export const go = () => startProcess({ cmd: 'node', args: ['x'], execaOpts: { detached: true } }); //!
export const come = () => startProcess('node', ['x'], { spawnOptions: { detached: true }, readyText: 'up' }); //!`,
      stays: `
import { startProcess } from './node.js';
export const go = () => startProcess({ cmd: 'node', args: ['x'], execaOpts: { detached: false } });
export const come = () => startProcess('node', ['x'], { head: { detached: true }, readyText: 'up' });`,
    },
    'a record that says what to run': {
      leaves: `
import { launch } from './node.js';
export const go = () => launch({ command: 'node', args: ['x'], detached: true }); //!`,
      stays: `
import { launch } from './rocket.js';
export const go = () => launch({ stage: 'first', detached: true });`,
    },
    'a list whose name ends in arguments': {
      leaves: `
export function open(childProcess, cliArguments) {
  const childProcessOptions = {};
  childProcessOptions.detached = true;
  return childProcess.spawn('x', cliArguments, childProcessOptions); //!
}`,
      stays: `
export function open(game, position) {
  const options = {};
  options.detached = true;
  return game.spawn('x', position, options);
}`,
    },
    'a launcher and its list in a wrapper out of sight': {
      leaves: `
import { execFileCapture } from './exec.js';
await execFileCapture('launchctl', ['kickstart', '-k', 'x']); //!
await execFileCapture('setsid', ['node', 'x']); //!`,
      stays: `
import { execFileCapture } from './exec.js';
await execFileCapture('launchctl', ['print', 'x']);
await execFileCapture('git', ['log', '--grep', 'setsid']);`,
    },
    'a variable of the environment': {
      leaves: `
import { spawn } from 'node:child_process';
spawn('x', [], { detached: process.env.DETACH === '1' }); //!
spawn('x', [], { detached: Boolean(process.env.DETACHED) }); //!`,
      stays: `
import { spawn } from 'node:child_process';
export const go = (options) => spawn('x', [], { detached: options.detach === '1' });
spawn('x', [], { detached: !process.platform === 'win32' });`,
    },
    'whichever of several option objects': {
      leaves: `
import { spawn } from 'node:child_process';
const modes = { daemon: { detached: true }, fg: { stdio: 'inherit' } };
export const go = (mode) => spawn('x', [], modes[mode]); //!`,
      stays: `
import { spawn } from 'node:child_process';
const modes = { quiet: { stdio: 'ignore' }, fg: { stdio: 'inherit' } };
export const go = (mode) => spawn('x', [], modes[mode]);`,
    },
    'what a catch clause sets': {
      leaves: `
import { spawn } from 'node:child_process';
export function go() {
  let o;
  try {
    o = { detached: true };
  } catch {
    o = {};
  }
  return spawn('x', [], o); //!
}`,
      stays: `
import { spawn } from 'node:child_process';
export function go() {
  let o;
  try {
    o = { cwd: read() };
  } catch {
    o = {};
  }
  return spawn('x', [], o);
}`,
    },
    'a command line that grows': {
      leaves: `
import { exec } from 'node:child_process';
export function go(bin, log) {
  let line = bin;
  line += ' > ' + log;
  line += ' &';
  exec(line); //!
  const words = [bin];
  words.push('&');
  exec(words.join(' ')); //!
  exec(bin.concat(' &')); //!
}`,
      stays: `
import { exec } from 'node:child_process';
export function go(bin, log) {
  let line = bin;
  line += ' > ' + log;
  line += ' && echo done';
  exec(line);
  const words = [bin];
  words.push('--scope');
  exec(words.join(' '));
  exec(bin.concat(' --quiet'));
}`,
    },
    'a list that grows': {
      leaves: `
import { spawn } from 'node:child_process';
const args = ['-n'];
args.push('setsid', 'server');
spawn('sudo', args); //!`,
      stays: `
import { spawn } from 'node:child_process';
const args = ['-n'];
args.push('server');
spawn('sudo', args);`,
    },
    'a shell in Deno': {
      leaves: `
new Deno.Command('sh', { args: ['-c', 'server &'] }).spawn(); //!`,
      stays: `
new Deno.Command('sh', { args: ['-c', 'server & wait'] }).spawn();`,
    },
    'an & in what is no command line': {
      leaves: `
import { ssh } from './ssh.js';
ssh.exec('nohup server > /dev/null 2>&1 &'); //!
ssh.exec('server > log/server.txt & echo $!'); //!
ssh.exec('server &'); //!
ssh.exec('cd /app && (node a.js >/dev/null &)'); //!`,
      stays: `
import { spawn } from 'node:child_process';
db.exec('UPDATE t SET a = a & 7 WHERE id = 1');
db.run('SELECT * FROM t WHERE flags & 4');
launch('http://x/?a=1&b=2', { headless: true });
browser.execute('return 1 & 2');
page.runScript('var a=1;a&b&&c()');
runCommand('Salt & pepper');
launchEditor('R&D');`,
    },
    'a command line of Windows': {
      leaves: `
import { exec } from 'node:child_process';
const line = process.platform === 'win32' ? 'cls & dir' : 'clear & ls';
exec(line); //!
exec('start /b node x.js'); //!`,
      stays: `
import { exec, execSync } from 'node:child_process';
execSync('start https://x/?a=1&b=2');
if (process.platform === 'win32') exec('chcp 65001 & dir');
const line = process.platform === 'win32' ? 'cls & dir' : 'clear; ls';
exec(line);
switch (process.platform) {
  case 'win32':
    exec('title x & run');
}`,
    },
  },

  'what only looks like it': {
    types: {
      leaves: `
import { spawn, type SpawnOptions } from 'node:child_process';
const options: SpawnOptions & { detached: true } = { detached: true };
spawn('a', [], options); //!`,
      stays: `
import { spawn, type SpawnOptions } from 'node:child_process';
type Detached = SpawnOptions & { detached: true };
interface Options { detached?: boolean }
export declare function spawnDaemon(options: Detached): void;
spawn('a', []);`,
    },
    tests: {
      leaves: `
import { spawn } from 'node:child_process';
it('leaves', () => {
  const child = spawn('a', [], { detached: true }); //!
  expect(child.pid).toBeDefined();
});`,
      stays: `
import { spawn } from 'node:child_process';
vi.mock('node:child_process');
it('spawns', () => {
  start();
  expect(spawn).toHaveBeenCalledWith('a', [], expect.objectContaining({ detached: true, stdio: 'ignore' }));
  expect(vi.mocked(spawn).mock.calls[0][2]).toMatchObject({ detached: true, shell: true });
  assert.calledWith(spawn, 'a', [], { detached: true, cwd: '/' });
});`,
    },
    'state of git and of windows': {
      leaves: `
import { spawn } from 'node:child_process';
export const status = { detached: true };
export const fetch = () => spawn('git', ['fetch'], { detached: true, env: {} }); //!`,
      stays: `
import { spawn } from 'node:child_process';
export const head = (ref) => ({ detached: !ref, name: ref });
export class Panel {
  detached = true;
  open() {
    this.window = openWindow({ detached: this.detached, cwd: '/' });
    spawn('git', ['checkout', '--detach']);
  }
}
git.checkout({ ref: 'main', detached: true });
docker.createContainer({ detached: true, Env: [] });`,
    },
    'flags, schemas and log records': {
      leaves: `
import { spawn } from 'node:child_process';
export const run = ({ flags }) => {
  log({ event: 'spawn', detached: true });
  return spawn('a', { detached: flags.background }); //!
};`,
      stays: `
import { spawn } from 'node:child_process';
export const flags = { detached: Flags.boolean({ char: 'd', default: true }) };
export const schema = { properties: { detached: { type: 'boolean', default: true } } };
program.option('--detached', 'run in the background', true);
export const run = () => {
  const child = spawn('a');
  logger.info('spawned', { pid: child.pid, detached: true, cwd: '/' });
  trackSpawn({ detached: true, shell: false });
};`,
    },
    'documents and pictures': {
      leaves: `
import { spawn } from 'node:child_process';
const el = h('panel', { detached: true });
spawn('a', { detached: true }); //!`,
      stays: `
import { spawn } from 'node:child_process';
const el = h('panel', { detached: true });
const node = document.createElement('div', { detached: true });
vm.$mount(undefined, { detached: true });
const scope = effectScope(true);
const wrapper = mount(Component, { props: { detached: true } });
const signature = await openpgp.sign({ message, signingKeys, detached: true });
await page.waitForSelector('x', { state: 'detached' });`,
    },
    'ends of trees': {
      leaves: `
import { spawn } from 'node:child_process';
const child = spawn('a', [], { detached: true }); //!
process.on('exit', () => process.kill(-child.pid));`,
      stays: `
import { killTree } from './kill-tree.js';
await killTree(child.pid, { detached: true });
await terminateProcess(child, ['SIGTERM'], { detached: true, cwd: '/' });`,
    },
  },
};

for (const [kind, pairs] of Object.entries(forms)) {
  describe(kind, () => {
    for (const [name, { leaves, stays, filename = 'a.ts' }] of Object.entries(pairs)) {
      it(`reports ${name}`, () => {
        assert.deepEqual(reported(leaves, filename), expected(leaves));
      });
      it(`leaves alone what is like ${name}`, () => {
        assert.deepEqual(reported(stays, filename), []);
      });
    }
  });
}

it('comes to an end where code goes round in circles', () => {
  const code = `
import { spawn } from 'node:child_process';
class A extends B { go() { this.run('x', this.options); spawn('a', this.options); A.start('x', A.options); } }
class B extends A { go() { spawn('a', [], this.options); } }
class C extends C { go() { spawn('a', this.o.p.q); } }
const a = a[0];
const b = c[0], c = b.slice(1);
spawn(a, b.slice(2));
spawn(...b);
spawn(...arguments);
for (const x of x) spawn(x.y, x.z);
const list = [list, ...list];
list.map((each) => spawn(each, each.o));
Object.values(Object.values(list)).map((o) => spawn('a', o));
function g(o) { return spawn('a', g(o)); }
g({ cwd: '/' });`;
  assert.deepEqual(reported(code, 'a.ts'), []);
});

/** The lines on which the rule reports by default. */
function reported(code: string, filename: string): number[] {
  return findSpawns(parseModule(code, filename))
    .filter(({ verdict }) => verdict.is === 'yes' || verdict.is === 'maybe')
    .map(({ name }) => name.loc.start.line);
}

function expected(code: string): number[] {
  return code.split('\n').flatMap((line, index) => (line.includes('//!') ? [index + 1] : []));
}
