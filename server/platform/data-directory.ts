import { homedir } from 'node:os'
import { join } from 'node:path'
import { IS_PACKAGE } from './version.ts'

const OF_ROOT = '/var/lib/portbook'
const CLONE = './data'

/**
 * Returns the data directory without a setting: `data` in a clone of the repository. The package can be started in any
 * folder, and the catalog would seem empty in each new one, so it uses a folder of the user.
 */
export function chooseDataDirectory(
  isPackage = IS_PACKAGE,
  isRoot = process.getuid?.() === 0,
): string {
  if (!isPackage) return CLONE
  // The PostgreSQL of root runs as another user, who cannot enter the home of root.
  return isRoot ? OF_ROOT : join(homedir(), '.portbook')
}
