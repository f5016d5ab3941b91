-- Every search looks up teams by name; a small index of teams answers this without the terms of other documents.
create index search_document_team_words on search_document using gin (words)
  with (gin_pending_list_limit = 256)
  where kind = 'team';
