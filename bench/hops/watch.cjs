// Preloaded into the built program: of a request with the header `x-hops` it writes down, in their order, the product's files that were entered and the commands sent to the database.
const { AsyncLocalStorage } = require('node:async_hooks');
const { appendFileSync, readFileSync } = require('node:fs');
const { Server, ServerResponse } = require('node:http');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');
const ts = require('typescript');

const watched = new AsyncLocalStorage();
const product = /^(app|gateway|pages|rest-facade|subgraphs|workers)\/.+\.ts$/;
const driver = 'node_modules/mongodb/lib/cmap/connection.js';

globalThis.hopEntered = (file) => watched.getStore()?.files.add(file);
globalThis.hopAsked = (ns, command) => {
  const hops = watched.getStore();
  const name = Object.keys(command)[0];
  hops?.commands.push({ command: name, on: command[name], filesBefore: hops.files.size });
};

/** A bundle keeps each module under its path: what is called inside of one tells its file. */
function instrumented(source) {
  const insertions = [];
  const insert = (at, text) => insertions.push([at, text]);
  function enter(node, call) {
    if (!node.body) return;
    if (ts.isBlock(node.body)) return insert(node.body.getStart() + 1, `${call};`);
    insert(node.body.getStart(), `(${call},`);
    insert(node.body.end, ')');
  }
  function visit(node, file) {
    const own = ts.isMethodDeclaration(node) && ts.isStringLiteral(node.name) ? node.name.text : null;
    if (own === driver) return visitDriver(node);
    if (own !== null && product.test(own)) return ts.forEachChild(node, (child) => visit(child, own));
    // How a module hands out its names is no entry.
    const isExport = ts.isCallExpression(node) && /^(_export|Object\.defineProperty)$/.test(node.expression.getText());
    if (isExport) return;
    if (file && ts.isFunctionLike(node)) enter(node, `hopEntered(${JSON.stringify(file)})`);
    ts.forEachChild(node, (child) => visit(child, file));
  }
  function visitDriver(node) {
    if (ts.isMethodDeclaration(node) && node.name.getText() === 'command' && node.parameters.length > 2)
      enter(node, 'hopAsked(ns,command)');
    ts.forEachChild(node, visitDriver);
  }
  visit(ts.createSourceFile('application.js', source, ts.ScriptTarget.ES2023, true), null);
  // From the end to the beginning; what was found later stands inside of what was found before at the same place.
  const pieces = [];
  let end = source.length;
  for (const [at, text] of insertions.map((each, order) => [...each, order]).sort(([a, , i], [b, , j]) => b - a || j - i)) {
    pieces.push(source.slice(at, end), text);
    end = at;
  }
  return source.slice(0, end) + pieces.reverse().join('');
}

const load = require.extensions['.js'];
require.extensions['.js'] = (module, filename) => {
  if (!filename.endsWith('/dist/application.js')) return load(module, filename);
  // The build wraps the file for the start that keeps compiled code: what runs is a function of a module.
  const main = new Script(instrumented(readFileSync(filename, 'utf8')), { filename }).runInThisContext();
  main.call(module.exports, module.exports, createRequire(filename), module, filename, dirname(filename));
};

/** What was met on the way to each response. */
const hopsOf = new WeakMap();
const { emit } = Server.prototype;
Server.prototype.emit = function emitWatched(/** @type {string} */ event, /** @type {any[]} */ ...args) {
  const [request, response] = args;
  if (event !== 'request' || !request.headers['x-hops']) return emit.call(this, event, ...args);
  const hops = { name: request.headers['x-hops'], files: new Set(), commands: [] };
  hopsOf.set(response, hops);
  return watched.run(hops, () => emit.call(this, event, ...args));
};

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function endWatched(...given) {
  const hops = hopsOf.get(this);
  if (hops) appendFileSync(process.env.HOPS_FILE, `${JSON.stringify({ ...hops, files: [...hops.files] })}\n`);
  return end.apply(this, given);
};
