import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Folders whose files are run, not imported; of the path within the project. */
const FOLDERS =
  /(?:^|\/)(?:bin|scripts?|tests?|__tests__|__mocks__|specs?|e2e|fixtures?|examples?|bench(?:marks?)?|\.github)\//i;
const NAMES =
  /[.-](?:tests?|spec|config|conf|setup|stories|bench|worker)[.-]|(?:^|\/)(?:gulpfile|gruntfile|jakefile)/i;

/** Whether a file is a program, a test, a script or a tool's configuration, by its name and its package.json. */
export function isProgramFile(filename: string, text: string): boolean {
  if (text.startsWith('#!')) return true;
  const path = resolve(filename);
  const { top, bins } = packageAround(dirname(path));
  const shown = relative(top, path).split(sep).join('/');
  return FOLDERS.test(shown) || NAMES.test(shown) || bins.has(path);
}

interface Package {
  /** The folder of the outermost package around, which is a workspace's or a repository's. */
  top: string;
  /** What the packages around name as their programs, absolute. */
  bins: ReadonlySet<string>;
}

const packages = new Map<string, Package | undefined>();

/** The package around a folder; the folder itself where there is none: a temporary folder may be called anything. */
function packageAround(folder: string): Package {
  if (!packages.has(folder)) packages.set(folder, readPackages(folder));
  return packages.get(folder) ?? { top: folder, bins: new Set() };
}

function readPackages(folder: string): Package | undefined {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) folders.push(at);
    // What lies around a dependency is another project.
    if (dirname(at) === at || at.endsWith(`${sep}node_modules`)) break;
  }
  const top = folders.at(-1);
  return top === undefined ? undefined : { top, bins: new Set(folders.flatMap(binsOf)) };
}

function binsOf(folder: string): string[] {
  try {
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin?: unknown };
    const bins = typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin];
    return bins.filter((each) => typeof each === 'string').map((each) => resolve(folder, each));
  } catch {
    // Half-written, as may happen while an editor lints: then nothing is known of it.
    return [];
  }
}
