import ts from 'typescript';

/** Methods of the facade that are promises where the driver's give values. */
const LEAVES = new Set([
  'run',
  'get',
  'all',
  'exec',
  'pragma',
  'columns',
  'serialize',
  'close',
  'loadExtension',
  'next',
]);

interface Edit {
  at: number;
  /** Where what it replaces ends. */
  end?: number;
  text: string;
}

/**
 * What moving to the facade asks of a program: `await` at each leaf and at each call of a function that has become async.
 * Made for the driver's own tests, so `expect(() => leaf)` becomes `expect(await util.outcomeOf(async () => await leaf))`,
 * which says the same of what is thrown.
 */
export function addAwaits(text: string): string {
  const file = ts.createSourceFile('test.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const asyncNames = new Set<string>();
  const asyncFunctions = new Set<ts.Node>();
  const awaited = new Set<ts.Node>();

  const functionAround = (node: ts.Node): ts.FunctionLikeDeclaration | undefined =>
    ts.findAncestor(node.parent, (each): each is ts.FunctionLikeDeclaration => ts.isFunctionLike(each));
  /** `.name` of a member, `name` of a variable. */
  const nameOf = (node: ts.Node): string | undefined =>
    ts.isPropertyAccessExpression(node)
      ? `.${node.name.text}`
      : ts.isIdentifier(node)
        ? node.text
        : undefined;
  /** What a function is called by: a declaration's name, or the variable or member that it is assigned to. */
  const calledBy = (fn: ts.Node): string | undefined => {
    if (ts.isFunctionDeclaration(fn)) return fn.name?.text;
    const { parent } = fn;
    if (ts.isVariableDeclaration(parent)) return nameOf(parent.name);
    return ts.isBinaryExpression(parent) ? nameOf(parent.left) : undefined;
  };
  /** `fn(…)`, `fn.deferred(…)` and `fn.call(…)` of a name. */
  const calls = (call: ts.CallExpression, names: ReadonlySet<string>): boolean => {
    const { expression } = call;
    const own = nameOf(expression);
    if (own !== undefined && names.has(own)) return true;
    const holder = ts.isPropertyAccessExpression(expression) ? nameOf(expression.expression) : undefined;
    return (
      holder !== undefined &&
      names.has(holder) &&
      /^\.(call|apply|default|deferred|immediate|exclusive)$/.test(own ?? '')
    );
  };
  const isLeaf = (call: ts.CallExpression): boolean =>
    ts.isPropertyAccessExpression(call.expression) &&
    LEAVES.has(call.expression.name.text) &&
    // `this.get` is a helper of the tests, `Database.prototype` none of its objects.
    call.expression.expression.kind !== ts.SyntaxKind.ThisKeyword;
  /** `values.map(fn)`, and what else calls back: in order, as the driver's transactions nest. */
  const callsBack = (node: ts.Node): node is ts.CallExpression => {
    if (!ts.isCallExpression(node) || !/^\.(map|forEach|reduce)$/.test(nameOf(node.expression) ?? ''))
      return false;
    const [fn] = node.arguments;
    return fn !== undefined && (asyncFunctions.has(fn) || asyncNames.has(nameOf(fn) ?? ''));
  };
  const iterates = (node: ts.Node): boolean => /\.iterate\(|\biterator\d?\b/.test(node.getText(file));

  const visitAll = (visit: (node: ts.Node) => void): void => {
    const walk = (node: ts.Node): void => {
      visit(node);
      node.forEachChild(walk);
    };
    walk(file);
  };
  const makeAsync = (node: ts.Node): void => {
    const fn = functionAround(node);
    if (!fn || asyncFunctions.has(fn)) return;
    asyncFunctions.add(fn);
    const name = calledBy(fn);
    if (name !== undefined) asyncNames.add(name);
  };

  visitAll((node) => {
    if (!ts.isCallExpression(node) || nameOf(node.expression) !== '.transaction') return;
    const { parent } = node;
    const name = ts.isVariableDeclaration(parent)
      ? nameOf(parent.name)
      : ts.isBinaryExpression(parent)
        ? nameOf(parent.left)
        : undefined;
    if (name !== undefined) asyncNames.add(name);
  });
  for (let before = -1; before !== awaited.size + asyncFunctions.size;) {
    before = awaited.size + asyncFunctions.size;
    visitAll((node) => {
      const waits =
        (ts.isCallExpression(node) && (isLeaf(node) || calls(node, asyncNames) || callsBack(node))) ||
        (ts.isForOfStatement(node) && iterates(node.expression)) ||
        (ts.isSpreadElement(node) && iterates(node.expression));
      const isThere = ts.isAwaitExpression(node.parent);
      if (!waits || isThere || !functionAround(node)) return;
      awaited.add(node);
      makeAsync(node);
    });
    // Whoever expects something of an async function waits for it.
    visitAll((node) => {
      if (!ts.isCallExpression(node) || nameOf(node.expression) !== 'expect') return;
      const [fn] = node.arguments;
      if (fn && asyncFunctions.has(fn)) makeAsync(node);
    });
  }

  const edits: Edit[] = [];
  for (const fn of asyncFunctions) {
    const isMade =
      ts.canHaveModifiers(fn) && ts.getModifiers(fn)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    if (!isMade) edits.push({ at: fn.getStart(file), text: 'async ' });
    const { parent } = fn;
    const isExpected = ts.isCallExpression(parent) && nameOf(parent.expression) === 'expect';
    if (isExpected)
      edits.push({ at: fn.getStart(file), text: 'await util.outcomeOf(' }, { at: fn.end, text: ')' });
  }
  for (const node of awaited) {
    if (callsBack(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: list, name } = node.expression;
      edits.push({ at: list.getStart(file), text: `util.${name.text}(` });
      edits.push({ at: list.end, end: node.arguments[0]?.getStart(file) ?? node.end, text: ', ' });
    }
    if (ts.isForOfStatement(node)) edits.push({ at: node.getStart(file) + 3, text: ' await' });
    else if (ts.isExpressionStatement(node.parent)) edits.push({ at: node.getStart(file), text: 'await ' });
    else if (ts.isSpreadElement(node)) {
      edits.push(
        { at: node.expression.getStart(file), text: '(await util.collect(' },
        { at: node.end, text: '))' },
      );
    } else edits.push({ at: node.getStart(file), text: '(await ' }, { at: node.end, text: ')' });
  }
  return spliced(text, edits);
}

/** At one place what was found last, an outer one, stands first where it opens. */
function spliced(text: string, edits: readonly Edit[]): string {
  const order = [...edits.entries()].sort(([i, a], [j, b]) => b.at - a.at || i - j);
  return order.reduce(
    (made, [, { at, end = at, text: added }]) => made.slice(0, at) + added + made.slice(end),
    text,
  );
}
