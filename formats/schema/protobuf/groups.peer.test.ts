// The compiler accepts the generated messages with groups.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { onPeers, runProtoc } from '../../../test/peers/peers.ts'
import { groupedMessages } from '../../../test/protobuf-groups.ts'

onPeers(['protoc'], () => {
  test('Protobuf › the compiler accepts the groups that are read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portbook-groups-'))
    try {
      const names = fc.sample(groupedMessages, { seed: 1, numRuns: 150 }).map(({ text }, at) => {
        writeFileSync(
          join(directory, `${at}.proto`),
          text.replace('message M', `package p${at};\nmessage M`),
        )
        return `${at}.proto`
      })
      await runProtoc([
        `-I${directory}`,
        `--descriptor_set_out=${join(directory, 'out')}`,
        ...names,
      ])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
