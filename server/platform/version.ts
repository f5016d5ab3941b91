import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifest = z
  .object({ version: z.string(), private: z.boolean().default(false) })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

/** The version of this program, from its package.json. */
export const VERSION = manifest.version

/** Whether this program runs from the published package; a clone of the repository has a private package.json. */
export const IS_PACKAGE = !manifest.private
