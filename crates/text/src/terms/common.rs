//! Words that carry no meaning of their own in a question: English function words, contractions as
//! the tokenizer spells them, and the filler of a chat. Stems are listed beside their words,
//! so that a caller may ask about either, unless the stem means something (`actual`).

/// Sorted, for the search in `is_common`.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "a", "about", "abov", "above", "actually", "after", "again", "against", "all", "also",
    "am", "an", "and", "ani", "any", "anyon", "anyone", "anyth", "anything", "are", "aren", "arent",
    "as", "at", "be", "becaus", "because", "been", "befor", "before", "being",
    "below", "between", "both", "but", "by", "can", "cannot", "cant", "could", "couldn", "couldnt",
    "d", "did", "didn", "didnt", "do", "doe", "does", "doesn", "doesnt", "doing", "don", "dont",
    "down", "dure", "during", "each", "els", "else", "even", "ever", "everi", "every", "everyon",
    "everyone", "everyth", "everything", "few", "for", "from", "further", "get", "gets", "getting",
    "give", "go", "going", "gonna", "got", "had", "hadn", "hadnt", "has", "hasn", "hasnt", "have",
    "haven", "havent", "having", "he", "hello", "help", "her", "here", "hers", "herself", "hey",
    "hi", "him", "himself", "his", "how", "howev", "however", "i", "if", "im", "in", "into", "is",
    "isn", "isnt", "it", "its", "itself", "ive", "just", "know", "let", "lets",
    "like", "ll", "look", "looking", "m", "may", "mayb", "maybe", "me", "might", "mine", "more",
    "most", "much", "must", "my", "myself", "need", "needs", "no", "nor", "not", "now", "of", "off",
    "ok", "okay", "on", "onc", "once", "one", "onli", "only", "onto", "or", "other", "ought", "our",
    "ours", "ourselv", "ourselves", "out", "over", "own", "pleas", "please", "pls", "plz",
    "rather", "re", "realli", "really", "s", "same", "shall", "she", "should", "shouldn",
    "shouldnt", "show", "simpli", "simply", "sinc", "since", "so", "some", "somehow", "someon",
    "someone", "someth", "something", "still", "such", "sure", "t", "tell", "than", "thank",
    "thanks", "that", "thats", "the", "their", "theirs", "them", "themselv", "themselves", "then",
    "there", "theres", "these", "they", "thing", "things", "think", "this", "those", "though",
    "through", "thus", "to", "too", "tri", "try", "trying", "u", "under", "until", "up", "upon",
    "us", "ve", "veri", "very", "via", "wanna", "want", "wants", "was", "wasn", "wasnt", "we",
    "well", "were", "weren", "werent", "what", "whats", "when", "where", "whether", "whi", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "won", "wont",
    "would", "wouldn", "wouldnt", "yeah", "yes", "yet", "you", "your", "yours", "yourself",
    "yourselv", "yourselves",
];
