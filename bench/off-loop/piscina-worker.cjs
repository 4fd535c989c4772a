// What a user writes for a pool: each worker opens the database for itself.
const { workerData } = require('node:worker_threads');
const options = Array.isArray(workerData) ? workerData[1] : workerData;
const Database = require(options.driver);
const db = new Database(options.path);
const statements = new Map();
module.exports = ({ sql, params, method = 'all' }) => {
  if (!statements.has(sql)) statements.set(sql, db.prepare(sql));
  return statements.get(sql)[method](...params);
};
