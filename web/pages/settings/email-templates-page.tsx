import { useQuery } from '@tanstack/react-query'
import { Mail, Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths } from '../../paths.ts'
import { NEW_TYPE, toEmailTemplates, toEmailTypes, type EmailType } from './email-texts.ts'
import { ReadersOnly } from '../../shell/right-readers.tsx'
import { EmailTypeDialog } from './email-type-dialog.tsx'
import { emailTemplatesQuery, toCondition, type TaggedSetting } from './setting-query.ts'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const PATH = '/api/settings/email-templates'

/** The texts of e-mails by type and language. */
export function EmailTemplatesPage() {
  return (
    <SettingsFrame at={paths.emailTemplates}>
      <p className="max-w-3xl text-muted">
        Your own texts of e-mails, by type and language. A type without an entry has its default
        text.
      </p>
      <ReadersOnly things="the e-mail texts">{() => <StoredTexts />}</ReadersOnly>
    </SettingsFrame>
  )
}

function StoredTexts() {
  const { organization } = useSession()
  const templates = useQuery(emailTemplatesQuery(organization?.id))
  return (
    <Loaded query={templates}>
      {(stored) => <EmailTemplatesForm key={organization?.id} stored={stored} />}
    </Loaded>
  )
}

type StoredTemplates = TaggedSetting<Schemas['EmailTemplates']>

const toForm = ({ value }: StoredTemplates): readonly EmailType[] => toEmailTypes(value)

function EmailTemplatesForm({ stored }: { stored: StoredTemplates }) {
  const { reason } = mayOwn(useSession())
  const editing = useSettingEditing(stored, toForm)
  const { form: types, change: setTypes, base } = editing
  const [edited, setEdited] = useState<number | undefined>(undefined)
  const saving = useSettingSaving({
    request: () =>
      client.PUT(PATH, {
        headers: toCondition(base.etag),
        body: toEmailTemplates(base.value, types),
      }),
    notice: 'E-mail texts saved',
    data: [{ queryKey: ['setting', PATH] }],
    editing,
  })
  const add = (
    <Button icon={Plus} reason={reason} onClick={() => setEdited(types.length)}>
      Add type
    </Button>
  )
  return (
    <SettingForm
      label="E-mail texts"
      editing={editing}
      saving={saving}
      reason={reason}
      saveLabel="Save texts"
    >
      {types.length === 0 ? (
        <Empty icon={Mail} title="No e-mail texts" action={add}>
          Add a type to replace the default text of an e-mail.
        </Empty>
      ) : (
        <Panel title="Types" flush actions={add}>
          <Table
            label="Types of e-mails"
            columns={getColumns({
              onEdit: (type) => setEdited(types.indexOf(type)),
              onRemove: (type) => setTypes(types.filter((one) => one !== type)),
            })}
            rows={types}
            getKey={({ type }) => type}
          />
        </Panel>
      )}
      {edited !== undefined && (
        <EmailTypeDialog
          type={types[edited] ?? NEW_TYPE}
          title={types[edited] === undefined ? 'Add type' : 'Edit type'}
          others={types.filter((_, at) => at !== edited).map(({ type }) => type)}
          onClose={() => setEdited(undefined)}
          onDone={(type) => {
            setTypes(types.toSpliced(edited, 1, type))
            setEdited(undefined)
          }}
        />
      )}
    </SettingForm>
  )
}

interface Actions {
  onEdit: (type: EmailType) => void
  onRemove: (type: EmailType) => void
}

function getColumns({ onEdit, onRemove }: Actions): Column<EmailType>[] {
  return [
    { title: 'Type', className: 'min-w-40', cell: ({ type }) => <code>{type}</code> },
    { title: 'Enabled', cell: ({ isEnabled }) => (isEnabled ? 'Yes' : 'No') },
    {
      title: 'Languages',
      cell: ({ texts }) => (
        <span className="user-text">
          {texts.map(({ language }) => language).join(', ') || 'None'}
        </span>
      ),
    },
    {
      title: 'Subject',
      className: 'min-w-48',
      cell: ({ texts }) => <span className="user-text line-clamp-2">{texts[0]?.subject}</span>,
    },
    {
      title: 'Actions',
      align: 'right',
      isAction: true,
      cell: (type) => (
        <span className="flex justify-end gap-1">
          <IconButton label={`Edit ${type.type}`} icon={Pencil} onClick={() => onEdit(type)} />
          <IconButton label={`Remove ${type.type}`} icon={X} onClick={() => onRemove(type)} />
        </span>
      ),
    },
  ]
}
