/** Where this folder is, from source and from dist: a CommonJS file, as dist is CommonJS and source is not. */
export const folder = __dirname;

/** What its modules end in there. */
export const extension = __filename.endsWith('.cts') ? '.ts' : '.js';
