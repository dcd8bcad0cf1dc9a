import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glossQuery } from '../../../src/search/query/gloss.ts';

describe('glossQuery', () => {
  it.each([
    ['ko', '첨부 파일을 다운로드', 'attachment file download'],
    ['ja', 'Gmailのメールを検索', 'gmail email search'],
    ['zh', '删除 main 分支', 'delete main branch'],
    ['de', 'lösche die Datei im Ordner', 'delete file folder'],
    ['es', 'crea una tarea para el equipo', 'create task team'],
    ['fr', 'supprimer le fichier de la réunion', 'delete file meeting'],
    ['pt', 'apagar os arquivos da pasta', 'delete file folder'],
    ['es, short', 'exporta los datos a Excel', 'export data excel'],
    ['es, without grammar', 'eliminar archivo', 'delete file'],
    ['de, without grammar', 'Rechnung erstellen', 'invoice create'],
    ['pt, by its letters', 'gerencie as permissões do usuário', 'manage permission user'],
  ])('%s: %s', (_, query, gloss) => {
    expect(glossQuery(query)).toBe(gloss);
  });

  it.each([
    'create an issue',
    'list the files in a folder',
    'post a message to a Slack channel',
    'get the DES key',
    'create a résumé for São Paulo',
    'a plan',
    'list files',
    'archive project',
    'restore document',
    'invite user',
    'no',
    '',
    '12:30',
  ])('leaves English alone: %j', (query) => {
    expect(glossQuery(query)).toBeUndefined();
  });

  it('keeps names that it does not know', () => {
    expect(glossQuery('zeig mir die Commits von Octocat')).toBe('show commit octocat');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const gloss = glossQuery(text);
        expect(gloss === undefined || gloss.length > 0).toBe(true);
      }),
    );
  });
});

describe('lexicon.json', () => {
  it('has an English side and at least one other for each entry', () => {
    const { entries } = JSON.parse(readFileSync('index-data/lexicon.json', 'utf8')) as {
      entries: Record<string, string>[];
    };
    expect(entries.length).toBeGreaterThan(200);
    for (const entry of entries) {
      expect(entry.en).toMatch(/^[a-z ]+$/);
      expect(Object.keys(entry).length).toBeGreaterThan(1);
    }
  });
});
