import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a hash over the names and contents of the files that match the patterns below `root`, without tests. */
export function computeFingerprint(
  root: string,
  patterns: readonly string[],
  excluded: readonly string[] = [],
): string {
  const hash = createHash('sha256')
  const files = globSync(patterns, {
    cwd: root,
    exclude: [...excluded, '**/*.test.ts', '**/*.test.tsx'],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  for (const file of files) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}
