# The pseudo-language of the tests, from a catalogue in English: every vowel gets an accent and comes twice, so that
# texts are about 40 % longer. What printf replaces ("%lld") stays.
/^msgid/,/^msgstr/ { /^msgstr/!b }
/^#, fuzzy$/d
/^#/b
s/^"Language:.*/"Language: en_XA\\n"/
s/^"Plural-Forms:.*/"Plural-Forms: nplurals=2; plural=n != 1;\\n"/
/^"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Language|MIME-Version|Content-Type|Content-Transfer-Encoding|Plural-Forms):/b
s/^msgstr/\x01/
s/%%/\x02/g
s/(%[-+0-9.*#]*[hlzjt]*)a/\1\x03/g
s/(%[-+0-9.*#]*[hlzjt]*)e/\1\x04/g
s/(%[-+0-9.*#]*[hlzjt]*)i/\1\x05/g
s/(%[-+0-9.*#]*[hlzjt]*)o/\1\x06/g
s/(%[-+0-9.*#]*[hlzjt]*)u/\1\x07/g
s/a/áä/g
s/e/éë/g
s/i/íï/g
s/o/óö/g
s/u/úü/g
s/A/ÁÄ/g
s/E/ÉË/g
s/I/ÍÏ/g
s/O/ÓÖ/g
s/U/ÚÜ/g
s/\x02/%%/g
y/\x03\x04\x05\x06\x07/aeiou/
s/\x01/msgstr/
