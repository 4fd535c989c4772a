import { describePairs } from './pairs.ts';

describePairs('compiled code', {
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
});
