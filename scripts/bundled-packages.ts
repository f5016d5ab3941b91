/**
 * The npm packages that a bundler puts into its output: what the product distributes of other people, in contrast to
 * what a build only uses.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** The part of a bundler's plugin that is used here; rolldown and Vite call it. */
interface CollectingPlugin {
  name: string
  generateBundle(options: unknown, bundle: Readonly<Record<string, Output>>): void
}

/** A file of a bundle: code made of modules, or another file made of sources. */
interface Output {
  type: 'chunk' | 'asset'
  moduleIds?: readonly string[]
  originalFileNames?: readonly string[]
}

/** The name of the list that a build leaves in its folder; it is hidden and not part of the package. */
const PACKAGE_LIST = '.packages.json'

// Styles import packages by their names; a plugin may insert their texts before the bundler sees them.
const STYLE_IMPORT = /^@import '((?:@[^/']+\/)?[^./'][^/']*)/gm

/** Writes the list of package folders of a build into its folder. */
export async function writePackageList(directory: string, folders: Set<string>): Promise<void> {
  await writeFile(join(directory, PACKAGE_LIST), JSON.stringify([...folders].toSorted()))
}

/** Reads the package folders of a build, relative to the repository's root. */
export function readPackageList(directory: string): string[] {
  return JSON.parse(readFileSync(join(directory, PACKAGE_LIST), 'utf8')) as string[]
}

/** Adds the packages that the styles below a folder import. */
export async function addImportedStyles(
  root: string,
  folder: string,
  folders: Set<string>,
): Promise<void> {
  for (const path of globSync(`${folder}/**/*.css`, { cwd: root, exclude: ['web/dist*/**'] })) {
    const text = await readFile(join(root, path), 'utf8')
    for (const [, name] of text.matchAll(STYLE_IMPORT)) folders.add(`node_modules/${name}`)
  }
}

/** Creates a plugin that adds the folder of every package in the output to `folders`, relative to `root`. */
export function collectPackages(
  root: string,
  base: string,
  folders: Set<string>,
): CollectingPlugin {
  return {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      for (const { type, moduleIds = [], originalFileNames = [] } of Object.values(bundle)) {
        // The names of other files are relative to the folder of the build.
        const paths =
          type === 'chunk' ? moduleIds : originalFileNames.map((name) => join(base, name))
        for (const path of paths) {
          const folder = findPackageFolder(path)
          if (folder !== undefined) folders.add(relative(root, folder).replaceAll(sep, '/'))
        }
      }
    },
  }
}

/** Finds the folder of the package that contains a module; undefined = it is our own or the bundler's. */
export function findPackageFolder(module: string): string | undefined {
  // Virtual modules begin with NUL, and an address may have a query.
  const path = module.replace(/^\0/, '').replace(/\?.*$/, '')
  const at = path.lastIndexOf(`${sep}node_modules${sep}`)
  if (at === -1) return undefined
  for (let folder = dirname(resolve(path)); folder.length > at; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    // Folders inside of packages have manifests without a name, which only set the type of their modules.
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8')))
      return folder
  }
  return undefined
}
