import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { onPeers, runProtoc } from '../../../test/peers/peers.ts'
import { PROTOBUF_ORIGINAL, writeLast } from '../../../test/protobuf-versions.ts'
import { readIn } from '../../../test/specification.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { readProtobuf } from './read.ts'
import { writeProtobuf } from './write.ts'

const text = (name: string): Field => ({ ...plainField(name, 'string', ''), required: true })

const newModel = (fields: Field[]): Model => ({ ...plainModel('orders', ''), fields })

onPeers(['protoc'], () => {
  test('numbers of Protobuf › the compiler accepts what is written', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portbook-protoc-'))
    try {
      const word = fc.constantFrom(
        'NEW',
        'new',
        'Paid',
        'PAID',
        'k_new',
        'K_NEW',
        'A_B',
        'AB',
        'x y',
      )
      const versions = fc.array(
        fc
          .uniqueArray(word, { minLength: 1, maxLength: 4 })
          .map((words) => [
            newModel([
              { ...text('k'), enum: words },
              text(words[0] ?? ''),
              plainField('at', 'timestamp', ''),
            ]),
          ]),
        { minLength: 1, maxLength: 3 },
      )
      const samples = fc.sample(versions, { seed: 1, numRuns: 60 })
      const texts = [
        writeProtobuf(readIn(PROTOBUF_ORIGINAL, readProtobuf).models).text,
        writeProtobuf([
          { ...newModel([plainField('at', 'timestamp', '')]), namespace: 'com.google.cloud' },
        ]).text,
        ...samples.map((sample) => writeLast(sample)),
      ]
      const files = texts.map((proto, at) => {
        const file = join(directory, `t${at}.proto`)
        // One run of the compiler reads all texts, so each needs a package of its own.
        const hasPackage = proto.includes('\npackage ')
        writeFileSync(file, hasPackage ? proto : `${proto}package p${at};\n`)
        return file
      })
      await runProtoc([`-I${directory}`, '--descriptor_set_out=/dev/null', ...files])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
