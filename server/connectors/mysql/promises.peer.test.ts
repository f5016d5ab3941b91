/** The promises of every connector, on MariaDB. */

import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onMariadb } from '../../../test/mariadb.ts'
import { openSourceGate, type SourceGate } from '../../../test/source-gate.ts'
import { definePeerPromises } from '../../../test/warehouses/peer-promises.ts'
import { mariadb } from './connector.ts'

onMariadb((server) => {
  const gates: SourceGate[] = []
  after(async () => {
    for (const gate of gates) await gate.close()
  })

  definePeerPromises(mariadb, async () => {
    const { host, port, user, password, execute } = server()
    const database = `shop_${randomBytes(6).toString('hex')}`
    const gate = await openSourceGate(host, port)
    gates.push(gate)
    await execute(`
      create database ${database};
      use ${database};
      create table orders (id bigint not null primary key, note text) comment = 'Sold';
      create table old (id int);
      create view recent_orders as select id from orders`)
    return {
      configuration: { host, port: gate.port, user, ssl: 'off' },
      secrets: { password },
      include: { database: [database] },
      async change() {
        await execute(`
          use ${database};
          create table recent (id int);
          alter table orders add column amount decimal(12,2);
          drop table old`)
        const name = (table: string): string => `${database}.${table}`
        return { created: [name('recent')], updated: [name('orders')], deleted: [name('old')] }
      },
      stall() {
        gate.hold()
        const isOpen = async (): Promise<boolean> => gate.openCount() > 0
        const reached = eventually(30_000, isOpen, 'the connector connects')
        return { reached, release: () => gate.release() }
      },
    }
  })
})
