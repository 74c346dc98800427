// The place of a sentence's last word, or of its first; `positions` if all is padding.
uint word_place(uint sentence) {
    uint found = positions;
    for (uint p = 0u; p < positions && (last != 0u || found == positions); ++p)
        if (keep[keep_first + sentence * positions + p] != 0.0) found = p;
    return found;
}
