import type { ReactNode } from 'react'
import { ButtonLink } from '../parts/button.tsx'
import { capitalize } from '../parts/capitalize.ts'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { exactTime } from '../parts/time.tsx'
import { useSession } from '../api/session.ts'
import { MissingThing } from '../shell/missing-thing.tsx'
import { mayCreate } from '../shell/record-permit.ts'
import type { DocumentKind } from './document-kind.ts'
import { useVersions } from './history-list.tsx'

interface MissingDocumentProps {
  kind: DocumentKind
  id: string
  /** The next step if there never was a document with this id; by default, the list. */
  action?: ReactNode
  /** Further hints for finding it. */
  children?: ReactNode
}

/** The page of a document that does not exist: deleted, with a way to restore it, or never created. */
export function MissingDocument({ kind, id, action, children }: MissingDocumentProps) {
  const versions = useVersions(kind, id)
  const { reason } = mayCreate(useSession(), kind)
  const list = <Link href={kind.list.href}>See all {kind.list.title.toLowerCase()}</Link>
  const missing = (
    <MissingThing called={kind.called} action={action ?? list}>
      The address names the id <code className="user-text">{id}</code>. {children}
    </MissingThing>
  )
  const label = capitalize(kind.called)
  const [last] = versions.data ?? []
  const title = last === undefined ? `${label} not found` : `${label} deleted`
  return (
    <Page title={title} trail={[kind.list]}>
      <Loaded query={versions} missing={missing}>
        {() =>
          last === undefined ? (
            missing
          ) : (
            <Empty
              title={last.validTo === null ? 'Deleted' : `Deleted ${exactTime(last.validTo)}`}
              action={
                <ButtonLink
                  look="primary"
                  href={kind.editPage(id, { version: last.version })}
                  reason={reason}
                >
                  Restore {kind.called}
                </ButtonLink>
              }
            >
              <code className="user-text">{id}</code> can be restored unchanged. You can review the
              changes before you save. Its{' '}
              <Link href={kind.versionsPage(id)}>
                {last.version === 1 ? 'version' : `${last.version} versions`}
              </Link>{' '}
              can still be read.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}
