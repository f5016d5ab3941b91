/**
 * Checks that tests run with the newest versions of the public clients: `npm run peers:newest`. It asks the registry, so
 * it is not part of `npm run check`. A client with a newer version needs rows for what is new.
 */

import { describeVersion, listClientVersions } from '../test/peers/client-versions.ts'

const versions = await listClientVersions()
for (const version of versions) console.log(describeVersion(version))
const isCurrent = versions.every(({ pinned, newest }) => newest !== undefined && newest === pinned)
process.exitCode = isCurrent ? 0 : 1
