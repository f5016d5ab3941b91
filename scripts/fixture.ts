/** Writes the fixture of a release: `node scripts/run.mjs scripts/fixture.ts <version>`. */

import { openTestStore, prepareStores } from '../test/stores.ts'
import { startPostgres } from '../test/postgres.ts'
import { FIXTURE_BYTES_MAX, writeFixture } from '../test/release-fixture.ts'

const [version] = process.argv.slice(2)
if (version === undefined) {
  console.error('usage: node scripts/run.mjs scripts/fixture.ts <version>')
  process.exit(2)
}
const server = await startPostgres()
try {
  Object.assign(process.env, await prepareStores(server.url))
  const store = await openTestStore()
  const bytes = await writeFixture(store, version)
  await store.close()
  console.log(`test/releases/${version}: ${bytes} bytes`)
  if (bytes > FIXTURE_BYTES_MAX) throw new Error(`a fixture has at most ${FIXTURE_BYTES_MAX} bytes`)
} finally {
  await server.stop()
}
// Threads of the filled store would keep the process running.
process.exit()
