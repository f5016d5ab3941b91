import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/**
 * Mounts a file system of a size such as `320m` until the test has ended, and returns its path. If mounting
 * is not allowed, skips the test and returns undefined.
 */
export function mountSmallDisk(t: TestContext, size: string): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'portbook', directory], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) {
    t.skip(`no small disk can be mounted here: ${mounted.stderr?.trim() ?? mounted.error?.message}`)
    return undefined
  }
  t.after(() => {
    spawnSync('umount', ['-l', directory])
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}
